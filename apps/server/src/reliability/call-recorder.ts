import {
  type ChatChunk,
  type ChatMessage,
  createId,
  initialReduction,
  reduceChunk,
} from '@palimpsest/core/domain'
import type { Connection } from './connection.ts'

/** The calls of a test's clients: the messages that the server acknowledged, and the parts of replies that were displayed. */
export type CallRecorder = {
  readonly acknowledged: { sessionId: string; messageId: string; text: string }[]
  readonly shown: { sessionId: string; message: ChatMessage }[]
}

export function createCallRecorder(): CallRecorder {
  return { acknowledged: [], shown: [] }
}

/** Sends a text; it has been acknowledged once this resolves. Returns the run that it started, if any. */
export async function send(
  { api }: Connection,
  recorder: CallRecorder,
  sessionId: string,
  text: string,
): Promise<{ runId?: string; queued: boolean }> {
  const messageId = createId('msg')
  const message = { id: messageId, parts: [{ type: 'text' as const, text }] }
  const sent = await api.session.send.mutate({ sessionId, message })
  recorder.acknowledged.push({ sessionId, messageId, text })
  return sent
}

/** Reads a run, by default the current one, and records everything displayed until it ends or `signal` aborts. */
export function watch(
  { api }: Connection,
  recorder: CallRecorder,
  run: { sessionId: string; runId?: string },
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const seen = { sessionId: run.sessionId, message: initialReduction('').message }
  let reduction = initialReduction('')
  recorder.shown.push(seen)
  const subscription = api.session.stream.subscribe(run, {
    // On the wire, chunks have the types of their JSON.
    onData(chunks) {
      for (const chunk of chunks as ChatChunk[]) reduction = reduceChunk(reduction, chunk)
      seen.message = reduction.message
    },
    onComplete: resolve,
    onError: () => resolve(),
  })
  signal.addEventListener('abort', () => {
    subscription.unsubscribe()
    resolve()
  })
  return promise
}
