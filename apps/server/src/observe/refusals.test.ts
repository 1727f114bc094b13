import { expect, test } from 'vitest'
import { createCallWorld } from '../testing/attack/call-world.ts'
import { startTestServer } from '../testing/index.ts'
import { longTalk } from '../testing/long-talk.ts'
import { createLogSecrets } from './log-secrets.ts'
import { createLogger } from './logger.ts'

const ERROR = 50

const imports = [
  { name: 'an unknown agent', change: { agent: 'nobody' } },
  {
    name: 'an unknown variant',
    change: { model_json: '{"provider_id":"lab","model_id":"m1","variant":"gigantic"}' },
  },
  { name: 'an unknown model', change: { model_json: '{"provider_id":"gone","model_id":"m"}' } },
]

test.for(imports)(
  'OB-3 a message to an imported chat with $name logs no error of the server',
  async ({ change }) => {
    const lines: string[] = []
    const destination = { write: (line: string) => void lines.push(line) }
    const logger = createLogger({ level: 'debug', secrets: createLogSecrets([]), destination })
    await using server = await startTestServer({ ports: { logger } })
    const world = createCallWorld(server.url, new Map())
    const [first = '', ...rest] = longTalk({ id: 'w', turns: 1 }).split('\n')
    const session = JSON.parse(first)
    const data = [JSON.stringify({ ...session, data: { ...session.data, ...change } }), ...rest].join('\n')
    await world.call({ path: 'session.import', input: { data } })
    const message = { parts: [{ type: 'text', text: 'Go on' }] }
    await world.call({ path: 'session.send', input: { sessionId: 'w', message } })
    await world.untilIdle('w')
    const logged = lines.map((line) => JSON.parse(line) as { level: number })
    expect(logged.filter(({ level }) => level >= ERROR)).toEqual([])
  },
)
