import type { ChatChunk } from '@palimpsest/core/domain'
import type { Api } from './api.ts'
import { createPauseWatch } from './approvals.ts'
import { followRun } from './follow-run.ts'
import { untilReached } from './retry.ts'

export type RunView = {
  /** Ends the stream while the run waits for permissions alone. */
  pauses?: boolean
  /** Chunks that are left out otherwise. */
  passes?: (chunk: ChatChunk) => boolean
}

/**
 * A run as the AI SDK reads it. Cancelling the stream detaches; the signal stops the run itself, in any state of the
 * connection.
 */
export function createRunStream(
  client: Pick<Api, 'session' | 'permission'>,
  run: { sessionId: string; runId: string },
  abortSignal: AbortSignal | undefined,
  { pauses = false, passes = () => true }: RunView = {},
): ReadableStream<ChatChunk> {
  const detached = new AbortController()
  const watch = createPauseWatch()
  let unlisten: () => void = () => undefined

  /** A replay holds asks that have their replies: only the server can say which are open. */
  async function isPaused(): Promise<boolean> {
    const [first] = watch.asked
    if (!pauses || first === undefined) return false
    const { items } = await client.permission.pending.query({ sessionId: run.sessionId })
    return watch.asked.some((id) => items.some((pending) => pending.id === id))
  }

  return new ReadableStream<ChatChunk>({
    start(controller) {
      const stop = () => {
        unlisten()
        detached.abort()
        // No caller waits for the answer, and a run that can't be reached any more can't be stopped.
        untilReached(() => client.session.abort.mutate(run)).catch(() => undefined)
        controller.close()
      }
      const pause = (isPaused: boolean) => {
        if (!isPaused || detached.signal.aborted) return
        unlisten()
        detached.abort()
        controller.close()
      }
      if (abortSignal?.aborted) return stop()
      abortSignal?.addEventListener('abort', stop)
      unlisten = () => abortSignal?.removeEventListener('abort', stop)
      followRun(client, {
        ...run,
        signal: detached.signal,
        onChunks: (chunks) => {
          for (const chunk of chunks) {
            watch.note(chunk)
            if (passes(chunk)) controller.enqueue(chunk)
          }
          // Without an answer the stream stays open, which is no loss.
          isPaused().then(pause, () => undefined)
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
