import { AppError } from '../domain/errors.ts'
import { createId } from '../domain/ids.ts'
import { type StoredMessage, toChatMessage } from '../domain/message/message.ts'
import type { Clock, Logger, RunLease, SessionEvents, Store } from '../ports/index.ts'
import type { Background } from './background.ts'
import { createClaimBeat } from './claim-beat.ts'
import type { Coordinator } from './coordinator.ts'
import { dropLogLater } from './drop-log.ts'
import { closeRun, END_LOST, recoverRun } from './recovery.ts'

/** Milliseconds between two attempts to end a claim in the background. */
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 30_000

/**
 * The claims that this host holds in the store. One that outlives its run is stale: the end of that run could not be
 * written. Every start and every operation on a history ends a stale claim first.
 */
export type StoreClaims = Disposable & {
  /**
   * Records that a run has claimed its session in the store; `messageId` is its reply. Renews the claim, which was made at
   * `since` as `clock.elapsed` counts; the signal aborts with an `AppError` once the claim may be lost.
   */
  add(lease: RunLease, messageId: string, since: number): AbortSignal
  /** Records that the run waits, and its claim in the store is no host's. */
  wait(sessionId: string): void
  /** Records that the claim has ended in the store, or that its session was deleted. */
  remove(sessionId: string): void
  /**
   * Ends the claim of a run that no process executes any more, and closes its reply. Returns whether there was one. To be
   * called while this process holds the session in its coordinator.
   */
  endStale(sessionId: string): Promise<boolean>
  /** Tries that in the background until the store works again. */
  endLater(sessionId: string): void
}

type Ports = {
  store: Store
  clock: Clock
  logger: Logger
  events: SessionEvents
  coordinator: Coordinator
  background: Background
}

export function createStoreClaims(ports: Ports): StoreClaims {
  const { store, clock, logger, events, coordinator, background } = ports
  const own = new Map<string, { lease: RunLease; messageId: string }>()
  const beat = createClaimBeat(ports)

  function forget(sessionId: string): RunLease | null {
    const ended = own.get(sessionId)
    if (ended === undefined) return null
    own.delete(sessionId)
    beat.release(ended.lease.runId)
    return ended.lease
  }

  async function endStale(sessionId: string): Promise<boolean> {
    const stale = own.get(sessionId)
    if (stale === undefined) return await recoverRun(sessionId, ports)
    const reply = await store.messages.get(sessionId, stale.messageId)
    const session = await closeRun(stale.lease, reply, END_LOST, ports).catch((error: unknown) => {
      // The store holds the end of that run, or another host has taken it over.
      if (error instanceof AppError && error.code === 'SESSION_NOT_RUNNING') return null
      throw error
    })
    forget(sessionId)
    if (session !== null) events.publish({ type: 'session-changed', sessionId, session })
    announceClosed(await store.messages.get(sessionId, stale.messageId))
    return true
  }

  function announceClosed(message: StoredMessage | null): void {
    if (message === null) return
    events.publish({
      type: 'message-settled',
      sessionId: message.sessionId,
      message: toChatMessage(message),
    })
  }

  async function retry(sessionId: string, signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_RETRY_MS; own.has(sessionId); wait = Math.min(2 * wait, MAX_RETRY_MS)) {
      const stopped = await clock.sleep(wait, signal).then(
        () => false,
        () => true,
      )
      if (stopped) return
      await clock.turn()
      // The current holder of the session ends the claim itself.
      if (coordinator.active(sessionId) === null) await tryOnce(sessionId)
    }
  }

  async function tryOnce(sessionId: string): Promise<void> {
    try {
      const hold = coordinator.claim(sessionId, { runId: createId('op'), messageId: null, quiet: true })
      await endStale(sessionId).finally(hold.release)
    } catch (error) {
      logger.warn({ error, sessionId }, 'The end of a run could not be written yet')
    }
  }

  return {
    add(lease, messageId, since) {
      own.set(lease.sessionId, { lease, messageId })
      return beat.hold(lease, since)
    },
    wait: (sessionId) => void forget(sessionId),
    remove(sessionId) {
      const ended = forget(sessionId)
      if (ended !== null) dropLogLater(ended.runId, ports)
    },
    endStale,
    endLater(sessionId) {
      if (own.has(sessionId)) background.start('settle', (signal) => retry(sessionId, signal))
    },
    [Symbol.dispose]: () => beat[Symbol.dispose](),
  }
}
