import { AppError } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import { IDLE, type SessionStatus, type StatusEvent, transition } from '../domain/status.ts'
import type { Clock, SessionEvents } from '../ports/index.ts'

/** An active run, from the moment its session is claimed. */
export type ActiveRun = {
  readonly runId: string
  /** The reply that it writes; null for a history operation. */
  readonly messageId: string | null
  readonly signal: AbortSignal
  /** A short operation that changes no status; a start waits for its end. */
  readonly quiet: boolean
  /** Aborts the run. With `pauseQueue` what is queued behind it waits for a user. */
  abort(options?: { pauseQueue?: boolean }): void
  /** Resolves once the turn's message is persisted or has failed to be; at once for a claim without a turn. */
  readonly begun: Promise<void>
  /** Resolves when the session is free again. */
  readonly released: Promise<void>
}

export type Claim = ActiveRun & {
  /** Whether an abort of this run was asked to pause the queue. */
  readonly pausesQueue: boolean
  /** Applies an event to the session's status while the claim is held. */
  apply(event: StatusEvent): void
  /** Marks the turn's message as persisted. */
  begin(): void
  /** Frees the session. Idempotent. */
  release(): void
}

/**
 * Owns the claims on sessions: of any number of starts on one session exactly one wins. The only place that changes status.
 *
 *   idle ── claim ──▶ busy ⇄ retrying ── release ──▶ idle | error
 */
export type Coordinator = {
  /**
   * Claims a session in this process; between processes `RunStore.begin` decides. Synchronous, so that nothing can run
   * between check and claim. `SESSION_BUSY` when it is claimed
   * already, and, for all but quiet claims, once the coordinator is closed.
   */
  claim(sessionId: string, run: { runId: string; messageId: string | null; quiet?: boolean }): Claim
  active(sessionId: string): ActiveRun | null
  /** Resolves once no short operation holds the session. */
  whenNotHeld(sessionId: string): Promise<void>
  /** At the time of the call; the run may be another process's. */
  status(sessionId: string): Promise<SessionStatus>
  /** Every session with a status other than idle, at the time of the call. */
  statuses(): Promise<[sessionId: string, status: SessionStatus][]>
  forget(sessionId: string): void
  readonly activeRuns: ActiveRun[]
  readonly activeSessions: string[]
  /** Refuses every later start. */
  close(): void
  readonly closed: boolean
}

export function createCoordinator({ clock, events }: { clock: Clock; events: SessionEvents }): Coordinator {
  const runs = new Map<string, Claim>()
  const statuses = new Map<string, SessionStatus>()
  let closed = false

  function apply(sessionId: string, event: StatusEvent) {
    const before = statuses.get(sessionId) ?? IDLE
    const status = transition(before, event)
    if (status === before) return
    if (status.state === 'idle') statuses.delete(sessionId)
    else statuses.set(sessionId, status)
    events.publish({ type: 'status', sessionId, status })
  }

  return {
    claim(sessionId, { runId, messageId, quiet = false }) {
      if (closed && !quiet)
        throw new AppError('SESSION_BUSY', 'The server is stopping and starts nothing new.')
      if (runs.has(sessionId)) throw new AppError('SESSION_BUSY', 'A run is on in this session.')
      if (runs.size >= LIMITS.runs)
        throw new AppError('RATE_LIMITED', `${LIMITS.runs} runs are on; try again when one has ended.`)
      const abort = new AbortController()
      let pausesQueue = false
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const { promise: released, resolve } = Promise.withResolvers<void>()
      const claim: Claim = {
        runId,
        messageId,
        quiet,
        signal: abort.signal,
        begun,
        released,
        begin,
        abort({ pauseQueue = false } = {}) {
          pausesQueue ||= pauseQueue
          abort.abort(new DOMException('The run was stopped.', 'AbortError'))
        },
        get pausesQueue() {
          return pausesQueue
        },
        apply(event) {
          if (runs.get(sessionId) === claim) apply(sessionId, event)
        },
        release() {
          if (runs.get(sessionId) !== claim) return
          runs.delete(sessionId)
          if (!quiet) apply(sessionId, { type: 'settled' })
          begin()
          resolve()
        },
      }
      runs.set(sessionId, claim)
      if (messageId === null) begin()
      if (!quiet) apply(sessionId, { type: 'started', runId, at: clock.now() })
      return claim
    },
    active: (sessionId) => runs.get(sessionId) ?? null,
    async whenNotHeld(sessionId) {
      for (let held = runs.get(sessionId); held?.quiet; held = runs.get(sessionId)) await held.released
    },
    status: async (sessionId) => statuses.get(sessionId) ?? IDLE,
    statuses: async () => [...statuses],
    forget: (sessionId) => void statuses.delete(sessionId),
    get activeRuns() {
      return [...runs.values()]
    },
    get activeSessions() {
      return [...runs.keys()]
    },
    close() {
      closed = true
    },
    get closed() {
      return closed
    },
  }
}
