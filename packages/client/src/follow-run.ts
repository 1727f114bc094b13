import { type ChatChunk, createOverlapFilter } from '@palimpsest/core/domain'
import type { Api, ApiError } from './api.ts'
import { isRefusal } from './failures.ts'
import { retryDelay } from './retry.ts'

export type FollowRun = {
  sessionId: string
  /** By default the session's current run; a reconnect continues with the run whose first chunk has arrived. */
  runId?: string | undefined
  /** Chunks in order, each once, however often the connection is lost. */
  onChunks(chunks: ChatChunk[]): void
  /**
   * The stream is over. `complete` is false when its last chunk never came: the run is no longer kept, and the stored
   * message has its outcome.
   */
  onEnd(end: { complete: boolean }): void
  /** The server refused with a 4xx; nothing follows. Every other failure is retried without a limit. */
  onError(error: ApiError): void
  /** Detaches. The run continues. */
  signal?: AbortSignal
}

/** Follows a run from its first chunk to its end, through lost connections. */
export function followRun(client: Pick<Api, 'session'>, follow: FollowRun): Disposable {
  const { sessionId, onChunks, onEnd, onError, signal } = follow
  let { runId } = follow
  const filter = createOverlapFilter()
  let attempt = 0
  let subscriptions = 0
  let complete = false
  let state: 'following' | 'over' = 'following'
  let stop: () => void = () => undefined

  function settle(report: () => void): void {
    if (state === 'over') return
    state = 'over'
    stop()
    signal?.removeEventListener('abort', detach)
    report()
  }

  const detach = () => settle(() => undefined)

  function subscribe(): void {
    if (state === 'over') return
    const asked = runId
    const own = ++subscriptions
    const isLeft = () => state === 'over' || own !== subscriptions
    const subscription = client.session.stream.subscribe(
      asked === undefined ? { sessionId } : { sessionId, runId: asked },
      {
        onStarted() {
          if (isLeft()) return
          // Each time that the server starts the stream, it starts at the first chunk.
          filter.restart()
          // The link reconnected with its first input, by which the session's next run would follow this one.
          if (asked === undefined && runId !== undefined) subscribeAgain()
        },
        onData(chunks) {
          if (isLeft()) return
          attempt = 0
          runId ??= runIdOf(chunks)
          const fresh = filter.pass(chunks)
          complete ||= fresh.some(isLast)
          if (fresh.length > 0) onChunks(fresh)
        },
        onComplete: () => isLeft() || settle(() => onEnd({ complete })),
        onError(error) {
          if (isLeft()) return
          if (isRefusal(error)) settle(() => onError(error))
          else retry()
        },
      },
    )
    stop = () => subscription.unsubscribe()
  }

  function subscribeAgain(): void {
    const stopCurrent = stop
    subscribe()
    stopCurrent()
  }

  function retry(): void {
    attempt += 1
    const timer = setTimeout(subscribe, retryDelay(attempt))
    stop = () => clearTimeout(timer)
  }

  if (signal?.aborted) state = 'over'
  else {
    signal?.addEventListener('abort', detach)
    subscribe()
  }
  return { [Symbol.dispose]: detach }
}

function isLast({ type }: ChatChunk): boolean {
  return type === 'finish' || type === 'abort' || type === 'error'
}

/** The run that its first chunk names. */
function runIdOf(chunks: readonly ChatChunk[]): string | undefined {
  const start = chunks.find((chunk) => chunk.type === 'start')
  return start?.messageMetadata?.runId
}
