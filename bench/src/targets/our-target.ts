import { type Client, createClient, followRun } from '@palimpsest/client'
import type { ChatChunk } from '@palimpsest/core/domain'
import type { Child } from '../processes/child.ts'
import { toPrompt } from '../script.ts'
import type { Target } from './target.ts'

/** The model that the scripted provider serves. */
export const MODEL = { providerId: 'lab', modelId: 'm1' }

export type OurTarget = Target & {
  readonly name: 'ours'
  /** A client of its own, with a socket of its own. */
  connect(): Client
}

/** The real server through the real client: every chunk stored, and read over a WebSocket. */
export function createOurTarget(server: Child): OurTarget {
  const connect = () => createClient({ url: server.url })

  return {
    name: 'ours',
    server,
    connect,
    async open() {
      const client = connect()
      // With a title of its own, so that the provider is called once on both targets.
      const { id: sessionId } = await client.session.create.mutate({ title: 'Bench', model: MODEL })
      await openSocket(client, sessionId)
      return {
        async ask(script, onText) {
          const message = { parts: [{ type: 'text' as const, text: toPrompt(script) }] }
          const { runId } = await client.session.send.mutate({ sessionId, message })
          if (runId === undefined) throw new Error('The message was queued')
          await readRun(client, { sessionId, runId }, onText)
        },
        close: () => client.dispose(),
      }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Follows a run and reports its text. Resolves when it has ended, or once `signal` aborts. */
export function readRun(
  client: Client,
  run: { sessionId: string; runId: string },
  onText: (text: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  signal?.addEventListener('abort', () => resolve(), { once: true })
  followRun(client, {
    ...run,
    ...(signal && { signal }),
    onChunks(chunks) {
      for (const chunk of chunks) readChunk(chunk, onText, reject)
    },
    onEnd: ({ complete }) => (complete ? resolve() : reject(new Error('The stream broke off'))),
    onError: reject,
  })
  return promise
}

function readChunk(chunk: ChatChunk, onText: (text: string) => void, reject: (error: Error) => void) {
  if (chunk.type === 'text-delta') onText(chunk.delta)
  else if (chunk.type === 'error') reject(new Error(chunk.errorText))
}

/** A session without a run ends its stream at once. */
function openSocket(client: Client, sessionId: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  client.session.stream.subscribe({ sessionId }, { onComplete: () => resolve(), onError: reject })
  return promise
}
