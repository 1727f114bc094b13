import { type ChatChunk, lastTurnMessage } from '@palimpsest/core/domain'
import type { Api } from './api.ts'
import { untilReached } from './retry.ts'
import { createRunStream } from './run-stream.ts'

/** Messages among which the last reply is looked up: a compaction's summary may come after it. */
const NEWEST = 10

/**
 * The session's last reply again, while its run is kept: a page that read the beginning of it would otherwise never get
 * the rest when the run ended before the page attached. Null when there is nothing to replay.
 */
export async function replayLastRun(
  client: Pick<Api, 'session' | 'permission'>,
  sessionId: string,
  abortSignal: AbortSignal | undefined,
): Promise<ReadableStream<ChatChunk> | null> {
  const { items } = await untilReached(() => client.session.messages.query({ sessionId, limit: NEWEST }))
  const last = lastTurnMessage(items)
  const runId = last?.role === 'assistant' ? last.metadata?.runId : undefined
  if (runId === undefined) return null
  return await unlessEmpty(createRunStream(client, { sessionId, runId }, abortSignal))
}

/** The same stream, or null when it ends or fails before its first chunk. */
async function unlessEmpty(stream: ReadableStream<ChatChunk>): Promise<ReadableStream<ChatChunk> | null> {
  const reader = stream.getReader()
  const first = await reader.read().catch(() => null)
  if (first === null || first.done) return null
  return new ReadableStream<ChatChunk>({
    start: (controller) => controller.enqueue(first.value),
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
