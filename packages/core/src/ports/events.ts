import type { SessionEvent } from '../domain/event.ts'

/** Carries session events to whoever listens. A listener that throws harms nobody else. */
export interface SessionEvents {
  publish(event: SessionEvent): void
  /** Calls back on each event of `sessionId`, or of all sessions, from now until disposed. */
  subscribe(sessionId: string | null, listener: (event: SessionEvent) => void): Disposable
}
