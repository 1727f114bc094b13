import type { ChatChunk } from '@palimpsest/core/domain'
import type { Api } from './api.ts'
import { followRun } from './follow-run.ts'
import { untilReached } from './retry.ts'

/**
 * A run as the AI SDK reads it. Cancelling the stream detaches; the signal stops the run itself, in any state of the
 * connection.
 */
export function createRunStream(
  client: Pick<Api, 'session'>,
  run: { sessionId: string; runId: string },
  abortSignal: AbortSignal | undefined,
): ReadableStream<ChatChunk> {
  const detached = new AbortController()
  let unlisten: () => void = () => undefined

  return new ReadableStream<ChatChunk>({
    start(controller) {
      const stop = () => {
        unlisten()
        detached.abort()
        // No caller waits for the answer, and a run that can't be reached any more can't be stopped.
        untilReached(() => client.session.abort.mutate(run)).catch(() => undefined)
        controller.close()
      }
      if (abortSignal?.aborted) return stop()
      abortSignal?.addEventListener('abort', stop)
      unlisten = () => abortSignal?.removeEventListener('abort', stop)
      followRun(client, {
        ...run,
        signal: detached.signal,
        onChunks: (chunks) => {
          for (const chunk of chunks) controller.enqueue(chunk)
        },
        onEnd({ complete }) {
          unlisten()
          if (complete) controller.close()
          else controller.error(new TypeError('network: the connection was lost and the run is over'))
        },
        onError(error) {
          unlisten()
          controller.error(error)
        },
      })
    },
    cancel() {
      unlisten()
      detached.abort()
    },
  })
}
