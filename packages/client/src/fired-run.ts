import type { ChatMessage } from '@palimpsest/core/domain'
import type { Api } from './api.ts'
import { isRefusal } from './failures.ts'
import { retryDelay, untilReached } from './retry.ts'

type Waiting = { sessionId: string; messageId: string; signal: AbortSignal | undefined }

/** Newest messages among which a message that has just fired is looked for. */
const RECENT = 20

/**
 * Waits until a queued message fires, and names its run. Fails when the message is taken out of the queue. The signal
 * takes it out.
 */
export function firedRun(
  client: Pick<Api, 'session' | 'queue'>,
  waiting: Waiting,
): Promise<{ runId: string }> {
  const { sessionId, messageId, signal } = waiting
  const { promise, resolve, reject } = Promise.withResolvers<{ runId: string }>()
  let attempt = 0
  let stop: () => void = () => undefined

  const seen = (message: ChatMessage) => {
    const runId = message.id === messageId ? message.metadata?.runId : undefined
    if (runId !== undefined) resolve({ runId })
    return runId !== undefined
  }

  async function lookUp(): Promise<void> {
    const { items } = await untilReached(() =>
      client.session.messages.query({ sessionId, limit: RECENT, hidden: true }),
    )
    if (!items.some(seen)) reject(new Error('The message was taken out of the queue.'))
  }

  function subscribe(): void {
    const subscription = client.session.events.subscribe(
      { sessionId },
      {
        onData(event) {
          if (event.type === 'message-added') seen(event.message)
          if (event.type !== 'queue') return
          const isWaiting = event.queue.some(({ id }) => id === messageId)
          if (!isWaiting) lookUp().catch(reject)
        },
        onError(error) {
          if (isRefusal(error)) return reject(error)
          attempt += 1
          const timer = setTimeout(subscribe, retryDelay(attempt))
          stop = () => clearTimeout(timer)
        },
      },
    )
    stop = () => subscription.unsubscribe()
  }

  const giveUp = () => {
    untilReached(() => client.queue.cancel.mutate({ sessionId, messageId })).catch(() => undefined)
    reject(new DOMException('The message was taken out of the queue.', 'AbortError'))
  }
  if (signal?.aborted) giveUp()
  else {
    signal?.addEventListener('abort', giveUp, { once: true })
    subscribe()
  }
  return promise.finally(() => {
    signal?.removeEventListener('abort', giveUp)
    stop()
  })
}
