import type { SessionEvent } from '../domain/session/event.ts'
import type { Logger, SessionEvents } from '../ports/index.ts'

type Listener = (event: SessionEvent) => void

/** Session events of one process. */
export function createMemorySessionEvents({ logger }: { logger: Logger }): SessionEvents {
  const bySession = new Map<string | null, Set<Listener>>()

  function notify(key: string | null, event: SessionEvent) {
    for (const listener of [...(bySession.get(key) ?? [])]) {
      try {
        listener(event)
      } catch (error) {
        logger.error({ error, sessionId: event.sessionId, event: event.type }, 'A listener failed')
      }
    }
  }

  return {
    publish(event) {
      notify(event.sessionId, event)
      notify(null, event)
    },
    subscribe(sessionId, listener) {
      const listeners = bySession.get(sessionId) ?? new Set()
      bySession.set(sessionId, listeners.add(listener))
      return {
        [Symbol.dispose]() {
          listeners.delete(listener)
          if (listeners.size === 0) bySession.delete(sessionId)
        },
      }
    },
  }
}
