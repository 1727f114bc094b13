import type { SessionEvent, SessionFeedEvent } from '../domain/session/event.ts'
import type { SessionEvents } from '../ports/index.ts'
import { createWakeup } from './wakeup.ts'

/** Maximum number of events that are buffered for one listener. */
const MAX_PENDING = 1_000
/** Maximum characters of these events; a single event may have more. */
const MAX_PENDING_CHARACTERS = 1_048_576

/**
 * Session events as an iterable: what `current` returns, then every event since it was called. The subscription starts
 * before `current` is called, so that nothing is missed in between. A listener that lags behind by more than 1,000 events
 * or 1 MB loses its buffered events: it gets a `reset`, then the current state again, and continues from there.
 */
export async function* listen(
  events: SessionEvents,
  sessionId: string | null,
  current: () => Promise<SessionEvent[]>,
  signal?: AbortSignal,
): AsyncGenerator<SessionFeedEvent> {
  const pending = createPending()
  const wakeup = createWakeup()
  using _subscription = events.subscribe(sessionId, (event) => {
    pending.push(event)
    wakeup.wake()
  })
  yield* await current()
  while (signal?.aborted !== true) {
    const event = pending.shift()
    if (event !== undefined) yield event
    else if (pending.lagged) {
      pending.restart()
      yield { type: 'reset', sessionId }
      yield* await current()
    } else await wakeup.next(signal)
  }
}

type Pending = {
  push(event: SessionEvent): void
  shift(): SessionEvent | undefined
  /** Whether events were dropped; none is kept from then until `restart`. */
  readonly lagged: boolean
  restart(): void
}

function createPending(): Pending {
  let events: { event: SessionEvent; characters: number }[] = []
  let characters = 0
  let lagged = false

  return {
    push(event) {
      if (lagged) return
      const own = charactersOf(event)
      events.push({ event, characters: own })
      characters += own
      lagged = events.length > MAX_PENDING || (events.length > 1 && characters > MAX_PENDING_CHARACTERS)
      if (!lagged) return
      events = []
      characters = 0
    },
    shift() {
      const first = events.shift()
      characters -= first?.characters ?? 0
      return first?.event
    },
    get lagged() {
      return lagged
    },
    restart() {
      lagged = false
    },
  }
}

/** About how many characters a value holds, without writing it out. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce<number>((sum, each) => sum + 8 + charactersOf(each), 0)
}
