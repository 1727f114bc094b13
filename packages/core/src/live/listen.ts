import type { SessionEvent } from '../domain/event.ts'
import type { SessionEvents } from '../ports/index.ts'
import { createWakeup } from './wakeup.ts'

/** Events kept for a listener who does not come back; past it the subscription ends, and its owner starts afresh. */
const MAX_PENDING = 10_000

/**
 * Session events as something to iterate: what `current` answers, then everything since it was asked. Listening starts
 * before `current` is asked, so that nothing falls between the two.
 */
export async function* listen(
  events: SessionEvents,
  sessionId: string | null,
  current: () => Promise<SessionEvent[]>,
  signal?: AbortSignal,
): AsyncGenerator<SessionEvent> {
  let pending: SessionEvent[] = []
  const wakeup = createWakeup()
  using _subscription = events.subscribe(sessionId, (event) => {
    pending.push(event)
    wakeup.wake()
  })
  yield* await current()
  while (signal?.aborted !== true && pending.length <= MAX_PENDING) {
    const batch = pending
    pending = []
    yield* batch
    if (pending.length === 0) await wakeup.next(signal)
  }
}
