import { AppError } from '../domain/errors.ts'
import { LEASE_MS } from '../domain/stream/run-log.ts'
import type { Clock, Logger, RunLease, Store } from '../ports/index.ts'

/** Milliseconds between two renewals of the claims: three in the time of a lease. */
export const BEAT_MS = 3_000
/** Milliseconds from a renewal that failed to the next attempt. */
export const BEAT_RETRY_MS = 500
/** Milliseconds that the last attempt to renew a claim may take. */
const LAST_TRY_MS = 1_000
/** Milliseconds without a renewal after which a run is stopped: 2 s before another host can take its claim over. */
export const HOLD_MS = LEASE_MS - 2_000

/** Renews the claims of this host, all with one call of the store, as long as there are any. */
export type ClaimBeat = Disposable & {
  /**
   * Renews the claim until it is released. `since` is when the claim was last extended, as `clock.elapsed` counts. The
   * signal aborts with an `AppError` once the claim may be lost: `STORE_ERROR` when it was not renewed for 8 s, `SESSION_NOT_RUNNING` when it is no longer this host's.
   */
  hold(lease: RunLease, since: number): AbortSignal
  release(runId: string): void
}

type Held = { lease: RunLease; lost: AbortController; deadline: Disposable | null }

export function createClaimBeat({
  store,
  clock,
  logger,
}: {
  store: Store
  clock: Clock
  logger: Logger
}): ClaimBeat {
  const claims = new Map<string, Held>()
  let timer: Disposable | null = null
  let isBeating = false

  function schedule(ms: number): void {
    timer?.[Symbol.dispose]()
    timer = clock.after(ms, () => void beat())
  }

  async function beat(): Promise<void> {
    if (isBeating) return
    isBeating = true
    const since = clock.elapsed()
    const wait = await renew([...claims.values()], since).then(
      () => BEAT_MS,
      (error: unknown) => {
        logger.warn({ error }, 'The claims of runs could not be renewed')
        return BEAT_RETRY_MS
      },
    )
    isBeating = false
    if (claims.size > 0) schedule(wait)
  }

  async function renew(held: Held[], since: number): Promise<void> {
    const renewed = await store.runs.renew(
      held.map(({ lease }) => lease.runId),
      clock.now(),
    )
    for (const claim of held) {
      if (claims.get(claim.lease.runId) !== claim) continue
      if (renewed.includes(claim.lease.runId)) extend(claim, since)
      else lose(claim, new AppError('SESSION_NOT_RUNNING', 'This run no longer holds its session.'))
    }
  }

  function extend(claim: Held, since: number): void {
    claim.deadline?.[Symbol.dispose]()
    claim.deadline = clock.after(
      Math.max(0, since + HOLD_MS - LAST_TRY_MS - clock.elapsed()),
      () => void tryAgain(claim),
    )
  }

  /** A host that slept or was blocked is late with its renewal; the store returns whether the claim is still its own. */
  async function tryAgain(claim: Held): Promise<void> {
    claim.deadline = null
    void beat()
    await clock.turn()
    if (claims.get(claim.lease.runId) !== claim || claim.deadline !== null) return
    claim.deadline = clock.after(LAST_TRY_MS, () => {
      const message = 'The claim of this run could not be renewed in time, so the run was stopped.'
      lose(claim, new AppError('STORE_ERROR', message))
    })
  }

  function lose(claim: Held, error: AppError): void {
    release(claim.lease.runId)
    const { sessionId, runId } = claim.lease
    logger.error({ error, sessionId, runId }, 'The claim of a run is lost')
    claim.lost.abort(error)
  }

  function release(runId: string): void {
    claims.get(runId)?.deadline?.[Symbol.dispose]()
    claims.delete(runId)
    if (claims.size > 0) return
    timer?.[Symbol.dispose]()
    timer = null
  }

  return {
    hold(lease, since) {
      const claim: Held = { lease, lost: new AbortController(), deadline: null }
      claims.set(lease.runId, claim)
      extend(claim, since)
      const isOverdue = clock.elapsed() - since >= BEAT_MS
      if (isOverdue) void beat()
      else if (timer === null) schedule(BEAT_MS)
      return claim.lost.signal
    },
    release,
    [Symbol.dispose]() {
      for (const runId of [...claims.keys()]) release(runId)
    },
  }
}
