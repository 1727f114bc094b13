import { access, mkdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type Child, startProcess } from '../processes/child.ts'
import { toPrompt } from '../script.ts'
import { MODEL } from './our-target.ts'
import { serverSentEvents } from './server-sent-events.ts'
import type { Target } from './target.ts'

/** `opencode serve` with the scripted provider, in a folder and a home of its own; null when it is not installed. */
export async function startPeer(folder: string, baseURL: string): Promise<Target | null> {
  const program = await findProgram('opencode')
  if (program === null) return null
  const { providerId, modelId } = MODEL
  const config = {
    autoupdate: false,
    share: 'disabled',
    model: `${providerId}/${modelId}`,
    small_model: `${providerId}/${modelId}`,
    provider: {
      [providerId]: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL, apiKey: 'none' },
        models: { [modelId]: { limit: { context: 8_000_000, output: 8_000 } } },
      },
    },
  }
  const cwd = join(folder, 'peer')
  await mkdir(cwd)
  const env = { HOME: cwd, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) }
  return createPeerTarget(await startProcess(program, ['serve', '--port', '0'], { env, cwd }))
}

/** Its HTTP interface as a third-party program calls it: one event stream for all its sessions. */
export function createPeerTarget(server: Child): Target {
  const reading = new AbortController()
  const asked = new Map<string, { onText(text: string): void; end(): void }>()
  let listening: Promise<void> | null = null

  async function listen(): Promise<void> {
    const response = await fetch(`${server.url}/event`, { signal: reading.signal })
    void read(response).catch(() => undefined)
  }

  async function read(response: Response): Promise<void> {
    for await (const event of serverSentEvents(response)) take(event as PeerEvent)
  }

  function take({ type, properties: { sessionID = '', field, delta = '', status } }: PeerEvent) {
    const question = asked.get(sessionID)
    if (type === 'message.part.delta' && field === 'text') question?.onText(delta)
    if (type === 'session.status' && status?.type === 'idle') question?.end()
  }

  async function post(path: string, body: object): Promise<Response> {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response
  }

  return {
    name: 'peer',
    server,
    async open() {
      listening ??= listen()
      await listening
      return {
        async ask(script, onText) {
          // The two fields of its documented answer that are read.
          const { id } = (await (await post('/session', { title: 'Bench' })).json()) as { id: string }
          const { promise, resolve } = Promise.withResolvers<void>()
          asked.set(id, { onText, end: resolve })
          const model = { providerID: MODEL.providerId, modelID: MODEL.modelId }
          const parts = [{ type: 'text', text: toPrompt(script) }]
          await post(`/session/${id}/prompt_async`, { model, parts })
          await promise
          asked.delete(id)
        },
        close: () => Promise.resolve(),
      }
    },
    async [Symbol.asyncDispose]() {
      reading.abort()
      await server[Symbol.asyncDispose]()
    },
  }
}

type PeerEvent = {
  type: string
  properties: { sessionID?: string; field?: string; delta?: string; status?: { type: string } }
}

async function findProgram(name: string): Promise<string | null> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name)
    const exists = await access(path).then(
      () => true,
      () => false,
    )
    if (exists) return path
  }
  return null
}
