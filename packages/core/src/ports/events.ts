import type { SessionEvent } from '../domain/session/event.ts'

/** Publishes session events to listeners. A listener that throws does not affect the others. */
export interface SessionEvents {
  publish(event: SessionEvent): void
  /** Calls back on each event of `sessionId`, or of all sessions, from now until disposed. */
  subscribe(sessionId: string | null, listener: (event: SessionEvent) => void): Disposable
}
