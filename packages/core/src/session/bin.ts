import type { BlobKeeper } from '../blob/blob-service.ts'
import { AppError } from '../domain/errors.ts'
import { createId } from '../domain/ids.ts'
import { BIN_DAYS, type Session } from '../domain/session/session.ts'
import type { Condenser } from '../history/condensing/condenser.ts'
import type { CorePorts } from '../history/core-ports.ts'
import type { HookRunner } from '../hook/hook-runner.ts'
import type { Purged } from '../ports/index.ts'
import type { StopOptions } from '../run/run-turn.ts'
import type { Background } from '../state/background.ts'
import type { Coordinator } from '../state/coordinator.ts'
import type { SessionScopes } from '../state/session-scopes.ts'
import type { StoreClaims } from '../state/store-claims.ts'
import type { Shell } from '../tool/shell.ts'
import type { SessionService } from './service.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const BIN_MS = BIN_DAYS * DAY_MS
/** Milliseconds between two sweeps of the bin. */
const SWEEP_MS = 60 * 60 * 1000
/** A run may start between the end of the one before and the deletion. */
const MAX_TRIES = 5

export type Bin = Pick<SessionService, 'delete' | 'restore' | 'purge'> & {
  /** Purges what has been in the bin for `BIN_DAYS` and files that no message names, now and every hour, until the host stops. */
  startSweep(): void
}

type Ports = CorePorts & {
  coordinator: Coordinator
  claims: StoreClaims
  condenser: Condenser
  background: Background
  shell: Shell | null
  hookRunner: HookRunner
  stop(sessionId: string, options?: StopOptions): Promise<boolean>
  keeper: BlobKeeper
  scopes: SessionScopes
}

/** Moves sessions to the bin, brings them back, and removes them for ever. */
export function createBin(ports: Ports, requireSession: (id: string) => Promise<Session>): Bin {
  const { store, events, clock, coordinator, claims, logger, keeper, hookRunner } = ports

  /** Ends what is on in a session; what is queued waits for a user. */
  async function stopSession(sessionId: string): Promise<void> {
    ports.condenser.abort(sessionId)
    await ports.stop(sessionId, { pauseQueue: true })
    await coordinator.whenNotHeld(sessionId)
    await ports.shell?.endSession(sessionId)
  }

  /** Ends a claim that its run has left in the store. */
  async function endStaleClaim(sessionId: string): Promise<void> {
    if (coordinator.active(sessionId) !== null || coordinator.waiting(sessionId) !== null) return
    const hold = coordinator.claim(sessionId, { runId: createId('op'), messageId: null, quiet: true })
    await claims.endStale(sessionId).finally(hold.release)
  }

  async function moveToBin(sessionId: string, withBranches: boolean): Promise<Session[]> {
    for (let tries = 1; ; tries++) {
      const ids = await store.sessions.deletion(sessionId, withBranches)
      await Promise.all(ids.map(stopSession))
      try {
        return await store.sessions.delete(sessionId, { withBranches, at: clock.now() })
      } catch (error) {
        const busy = error instanceof AppError && error.code === 'SESSION_BUSY'
        if (!busy || tries === MAX_TRIES) throw error
        await Promise.all(ids.map(endStaleClaim))
      }
    }
  }

  async function removed({ sessions, blobs, workspaces }: Purged): Promise<void> {
    for (const sessionId of sessions) {
      ports.scopes.forget(sessionId)
      events.publish({ type: 'session-purged', sessionId })
    }
    await keeper.forget(blobs)
    await forgetSnapshots(workspaces)
    if (sessions.length > 0) await sweepOutputs()
  }

  /** Removes the states of the files of folders that no session names any more, under any path. */
  async function forgetSnapshots({ unnamed, named }: Purged['workspaces']): Promise<void> {
    if (ports.snapshots === undefined || unnamed.length === 0) return
    const realPath = async (root: string) => (await ports.workspaces.resolve(root)) ?? root
    const used = new Set(await Promise.all(named.map(realPath)))
    for (const root of await Promise.all(unnamed.map(realPath))) {
      if (used.has(root)) continue
      await ports.snapshots.forget(root).catch((error: unknown) => {
        logger.warn({ error }, 'The snapshots of a folder could not be removed')
      })
    }
  }

  /** Removes what commands have left outside of blobs that are stored. */
  async function sweepOutputs(): Promise<void> {
    await ports.processes
      ?.sweepOutputs((hashes) => store.blobs.known(hashes))
      .catch((error: unknown) => {
        logger.warn({ error }, 'The outputs of commands could not be swept; it is tried again in an hour')
      })
  }

  /** Sessions that could not be purged; each is logged once. */
  const reported = new Set<string>()

  async function sweep(signal: AbortSignal): Promise<void> {
    const failed: string[] = []
    let expired = await store.sessions.expired(clock.now() - BIN_MS)
    while (expired.length > 0 && !signal.aborted) {
      for (const sessionId of expired) {
        if (!signal.aborted && !(await tryPurge(sessionId))) failed.push(sessionId)
        await clock.turn()
      }
      expired = await store.sessions.expired(clock.now() - BIN_MS, failed)
    }
  }

  /** Whether the session is gone. One that cannot be purged stops no other. */
  async function tryPurge(sessionId: string): Promise<boolean> {
    try {
      await removed(await purgeExpired(sessionId))
      return true
    } catch (error) {
      if (!reported.has(sessionId)) logger.warn({ error, sessionId }, 'A session could not be purged')
      reported.add(sessionId)
      return false
    }
  }

  /** It may have gone with its parent, or been restored, since it was read. One that cannot be purged keeps no other in the bin. */
  async function purgeExpired(sessionId: string): Promise<Purged> {
    try {
      return await store.sessions.purge(sessionId)
    } catch (error) {
      const gone = error instanceof AppError && ['SESSION_NOT_FOUND', 'CONFLICT'].includes(error.code)
      if (gone) return { sessions: [], blobs: [], workspaces: { unnamed: [], named: [] } }
      throw error
    }
  }

  async function sweepAgain(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const part of [sweep, keeper.sweep, sweepOutputs]) {
        await part(signal).catch((error: unknown) => {
          logger.warn({ error }, 'The bin could not be swept; it is tried again in an hour')
        })
      }
      // Rejects when the host stops.
      await clock.sleep(SWEEP_MS, signal).catch(() => undefined)
    }
  }

  return {
    async delete(sessionId, { withBranches = false } = {}) {
      await requireSession(sessionId)
      for (const session of await moveToBin(sessionId, withBranches)) {
        claims.remove(session.id)
        coordinator.forget(session.id)
        events.publish({ type: 'session-deleted', sessionId: session.id, session })
        hookRunner.report('session.delete', { sessionId: session.id, title: session.title })
      }
    },

    async restore(sessionId) {
      const sessions = await store.sessions.restore(sessionId, clock.now())
      for (const session of sessions)
        events.publish({ type: 'session-restored', sessionId: session.id, session })
      // Someone else may have brought it back.
      return sessions.find(({ id }) => id === sessionId) ?? (await requireSession(sessionId))
    },

    async purge(sessionId) {
      await removed(await store.sessions.purge(sessionId))
    },

    startSweep: () => ports.background.start('bin', sweepAgain),
  }
}
