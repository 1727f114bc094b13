import type { Child } from '../processes/child.ts'
import { toPrompt } from '../script.ts'
import { MODEL } from './our-target.ts'
import { serverSentEvents } from './server-sent-events.ts'
import { readSent, type Target } from './target.ts'

/**
 * The real server as a third-party program calls it: plain HTTP and server-sent events, no connection kept open. Creating
 * the session and sending the message are part of each question.
 */
export function createStrangerTarget(server: Child, name: 'ours' | 'former' = 'ours'): Target {
  async function mutate<T>(procedure: string, input: object): Promise<T> {
    const response = await fetch(`${server.url}/trpc/${procedure}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    if (!response.ok) throw new Error(`${procedure} answered ${response.status}: ${await response.text()}`)
    // The envelope that tRPC documents.
    return ((await response.json()) as { result: { data: T } }).result.data
  }

  return {
    name,
    server,
    open: () =>
      Promise.resolve({
        async ask(script, onText) {
          // With a title of its own, so that the provider is called once on both targets.
          const session = { title: 'Bench', model: MODEL }
          const { id: sessionId } = await mutate<{ id: string }>('session.create', session)
          const message = { parts: [{ type: 'text', text: toPrompt(script) }] }
          const { runId } = await mutate<{ runId?: string }>('session.send', { sessionId, message })
          if (runId === undefined) throw new Error('The message was queued')
          await readEvents(server.url, { sessionId, runId }, onText)
        },
        close: () => Promise.resolve(),
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Reads a run by server-sent events and returns its text. Resolves when it has ended. */
export async function readEvents(
  url: string,
  run: { sessionId: string; runId: string },
  onText: (text: string) => void,
): Promise<void> {
  const input = encodeURIComponent(JSON.stringify(run))
  const response = await fetch(`${url}/trpc/session.stream?input=${input}`)
  for await (const chunks of serverSentEvents(response)) {
    if (!Array.isArray(chunks)) continue
    for (const chunk of chunks) readSent(chunk, onText)
  }
}
