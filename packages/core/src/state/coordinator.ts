import { AppError } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import type { AskKind, PersonAskKind } from '../domain/permission/ask.ts'
import { IDLE, type SessionStatus, type StatusEvent, transition } from '../domain/session/status.ts'
import type { Clock, SessionEvents } from '../ports/index.ts'

export type AbortOptions = { pauseQueue?: boolean }

/** An active run, from the moment its session is claimed. */
export type ActiveRun = {
  readonly runId: string
  /** The reply that it writes; null for a history operation. */
  readonly messageId: string | null
  readonly signal: AbortSignal
  /** A short operation that changes no status; a start waits for its end. */
  readonly quiet: boolean
  /** Aborts the run. With `pauseQueue` what is queued behind it waits for a user. */
  abort(options?: AbortOptions): void
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
  /** Ends the claim while its run waits: nothing else can claim the session until that run is resumed. */
  wait(on: AskKind): void
}

/** A run that waits, and the reply that it writes. */
export type Waiting = { readonly runId: string; readonly messageId: string }

/**
 * Owns the claims on sessions: of any number of starts on one session exactly one wins. The only place that changes status.
 *
 *   idle ── claim ──▶ busy ⇄ retrying ── release ──▶ idle | error
 *   busy ── wait ──▶ waiting ── claim to resume ──▶ busy
 *
 * A run that waits for subagents is busy, or waits for what one of them waits for.
 */
export type Coordinator = {
  /**
   * Claims a session in this process; between processes `RunStore.begin` decides. Synchronous, so that nothing can run
   * between check and claim. `SESSION_BUSY` when it is claimed already or its run waits, and, for all but quiet claims,
   * once the coordinator is closed. The claim that resumes a waiting run is never refused.
   */
  claim(
    sessionId: string,
    run: {
      runId: string
      messageId: string | null
      quiet?: boolean
      resumes?: boolean
      /** Of a subagent: the sessions above it, from the root to its parent. */
      ancestors?: readonly string[]
    },
  ): Claim
  /** The run of a session that waits. */
  waiting(sessionId: string): Waiting | null
  /** Takes over a run that waited on an earlier host. */
  restore(
    sessionId: string,
    run: Waiting & { startedAt: number; on: AskKind; ancestors: readonly string[] },
  ): void
  /** A run that waits on waits for something else from now on. */
  waitOn(sessionId: string, on: AskKind): void
  /** Subagents of a session, at any depth, whose runs work or wait, each with its parent. */
  subagents(sessionId: string): { sessionId: string; parentId: string | undefined }[]
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
  const waiting = new Map<string, Waiting & { on: AskKind }>()
  /** What is above the subagents whose runs work or wait, from the root on. */
  const ancestorsOf = new Map<string, readonly string[]>()
  let closed = false

  function apply(sessionId: string, event: StatusEvent) {
    const before = statuses.get(sessionId) ?? IDLE
    const status = transition(before, event)
    if (status === before) return
    if (status.state === 'idle') statuses.delete(sessionId)
    else statuses.set(sessionId, status)
    events.publish({ type: 'status', sessionId, status })
  }

  /** What a session waits for from a person, itself or in one of its subagents. */
  function personWait(sessionId: string): PersonAskKind | null {
    const on = waiting.get(sessionId)?.on ?? null
    if (on !== 'task') return on
    for (const [child, ancestors] of ancestorsOf) {
      const below = ancestors.at(-1) === sessionId ? personWait(child) : null
      if (below !== null) return below
    }
    return null
  }

  /** Applies what runs wait for to the statuses of these sessions. */
  function showWaits(sessionIds: readonly string[]): void {
    for (const id of sessionIds) {
      if (!waiting.has(id)) continue
      const on = personWait(id)
      apply(id, on === null ? { type: 'resumed' } : { type: 'waiting', on })
    }
  }

  const above = (sessionId: string) => ancestorsOf.get(sessionId) ?? []

  /** Of a session whose run has ended. */
  function leaveFamily(sessionId: string): void {
    const ancestors = above(sessionId)
    ancestorsOf.delete(sessionId)
    showWaits(ancestors)
  }

  function checkFree(sessionId: string, quiet: boolean): void {
    if (closed && !quiet) throw new AppError('SESSION_BUSY', 'The server is stopping and starts nothing new.')
    if (runs.has(sessionId)) throw new AppError('SESSION_BUSY', 'A run is on in this session.')
    if (waiting.has(sessionId)) throw new AppError('SESSION_BUSY', 'The run of this session waits for you.')
    if (runs.size >= LIMITS.runs)
      throw new AppError('RATE_LIMITED', `${LIMITS.runs} runs are on; try again when one has ended.`)
  }

  return {
    claim(sessionId, { runId, messageId, quiet = false, resumes = false, ancestors = [] }) {
      if (!resumes) checkFree(sessionId, quiet)
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
          if (!quiet) {
            apply(sessionId, { type: 'settled' })
            leaveFamily(sessionId)
          }
          begin()
          resolve()
        },
        wait(on) {
          if (runs.get(sessionId) !== claim || messageId === null) return
          waiting.set(sessionId, { runId, messageId, on })
          showWaits([sessionId, ...above(sessionId)])
          runs.delete(sessionId)
          resolve()
        },
      }
      runs.set(sessionId, claim)
      waiting.delete(sessionId)
      if (ancestors.length > 0 && !quiet) ancestorsOf.set(sessionId, ancestors)
      if (messageId === null) begin()
      if (!quiet)
        apply(sessionId, resumes ? { type: 'resumed' } : { type: 'started', runId, at: clock.now() })
      showWaits(above(sessionId))
      return claim
    },
    waiting: (sessionId) => waiting.get(sessionId) ?? null,
    restore(sessionId, { runId, messageId, startedAt, on, ancestors }) {
      waiting.set(sessionId, { runId, messageId, on })
      if (ancestors.length > 0) ancestorsOf.set(sessionId, ancestors)
      apply(sessionId, { type: 'found-waiting', runId, at: startedAt, on: personWait(sessionId) })
      showWaits(ancestors)
    },
    waitOn(sessionId, on) {
      const run = waiting.get(sessionId)
      if (run === undefined) return
      waiting.set(sessionId, { ...run, on })
      showWaits([sessionId, ...above(sessionId)])
    },
    subagents: (rootId) =>
      [...ancestorsOf].flatMap(([sessionId, ancestors]) =>
        ancestors.includes(rootId) ? [{ sessionId, parentId: ancestors.at(-1) }] : [],
      ),
    active: (sessionId) => runs.get(sessionId) ?? null,
    async whenNotHeld(sessionId) {
      for (let held = runs.get(sessionId); held?.quiet; held = runs.get(sessionId)) await held.released
    },
    status: async (sessionId) => statuses.get(sessionId) ?? IDLE,
    statuses: async () => [...statuses],
    forget(sessionId) {
      statuses.delete(sessionId)
      waiting.delete(sessionId)
      leaveFamily(sessionId)
    },
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
