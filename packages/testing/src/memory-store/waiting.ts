import { LEASE_MS, waitsOn } from '@palimpsest/core/domain'
import type { RecordWrite, RunLease, RunStore } from '@palimpsest/core/ports'
import { openAsks } from './asks.ts'
import { atomically, copy, existingSession, type MemoryTables, touch } from './tables.ts'

type Waiting = Pick<RunStore, 'ask' | 'pause' | 'resume' | 'interrupt' | 'waiting'>

/** Runs that ask and wait; `owner` is the store that resumes them, `record` writes what a run has written. */
export function createMemoryWaiting(
  tables: MemoryTables,
  owner: object,
  record: (tables: MemoryTables, write: RecordWrite) => void,
): Waiting {
  function claimAgain(runId: string, at: number): RunLease | null {
    const lease = [...tables.leases.values()].find((claim) => claim.runId === runId)
    if (lease === undefined || lease.waiting === null) return null
    Object.assign(lease, { owner, epoch: lease.epoch + 1, expiresAt: at + LEASE_MS, waiting: null })
    return { runId, sessionId: lease.sessionId, startedAt: lease.startedAt, epoch: lease.epoch }
  }

  const isOpen = (runId: string) => openAsks(tables, (ask) => ask.runId === runId).length > 0

  return {
    ask: (write, asks) =>
      atomically(() => {
        record(tables, write)
        for (const ask of asks) tables.asks.set(ask.id, copy(ask))
      }),
    pause: (run, write, at) =>
      atomically(() => {
        record(tables, write)
        const open = openAsks(tables, (ask) => ask.runId === run.runId)
        const lease = tables.leases.get(run.sessionId)
        const on = waitsOn(open)
        if (on === null || lease === undefined) return null
        lease.waiting = { messageId: write.messageId, on }
        return touch(tables, existingSession(tables, run.sessionId), at)
      }),
    resume: (runId, at) => atomically(() => (isOpen(runId) ? null : claimAgain(runId, at))),
    interrupt: (runId, at) => atomically(() => claimAgain(runId, at)),
    waiting: () =>
      atomically(() =>
        [...tables.leases.values()].flatMap(({ runId, sessionId, startedAt, epoch, waiting }) =>
          waiting === null ? [] : [{ lease: { runId, sessionId, startedAt, epoch }, ...waiting }],
        ),
      ),
  }
}
