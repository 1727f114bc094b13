import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startTestServer } from '@palimpsest/server/testing'
import { deltas, reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { createClient } from '../src/index.ts'

const SCRIPT = fileURLToPath(new URL('./quickstart.ts', import.meta.url))
const README = fileURLToPath(new URL('../../../README.md', import.meta.url))

test('CL-2 the script of the README creates a session, streams a reply, stops one and branches', async () => {
  await using server = await startTestServer()
  server.provider.script(reply({ text: ['Hello', ' there'] }), reply({ text: deltas(3), ending: 'stall' }))
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT], {
    env: { ...process.env, PALIMPSEST_URL: server.url },
  })
  const [said, branchId] = stdout.split('Went back to the first question in a branch: ')
  expect(said).toBe('Hello there\n\nStopped the second reply: true\n')
  await using client = createClient({ url: server.url })
  const branched = await client.session.messages.query({ sessionId: (branchId ?? '').trim() })
  expect(branched.items.map(({ role }) => role)).toEqual(['user'])
})

test('CL-2 the script has at most 15 lines of code and the README contains it word for word', async () => {
  const script = await readFile(SCRIPT, 'utf8')
  expect(script.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(15)
  expect(await readFile(README, 'utf8')).toContain(script.trim())
})
