import type { Session } from '../domain/session.ts'
import { createBranching } from './branch/branch.ts'
import { createCompacting } from './compaction/compact.ts'
import { createUncondensing } from './condensing/uncondense.ts'
import type { HistoryService } from './history-service.ts'
import { createLeavingOut } from './leaving-out/leave-out.ts'
import type { HistoryPorts } from './operation/perform.ts'
import { timelineOf } from './operation/timeline.ts'
import { createPoints } from './points/points.ts'
import { createPruning } from './pruning/prune.ts'
import { createRewinding } from './rewind/rewind.ts'
import { createFitEstimates } from './switching/window-estimate.ts'
import { createExporting } from './transfer/export.ts'
import { createVersioning } from './versions/versions.ts'

/** Creates the history service: one factory for each kind of operation. */
export function createHistory(
  ports: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
  afterwards: (sessionId: string) => void,
): HistoryService {
  return {
    ...createRewinding(ports, requireSession),
    ...createVersioning(ports, requireSession),
    ...createPoints(ports, requireSession),
    ...createBranching(ports, requireSession),
    ...createCompacting(ports, requireSession, afterwards),
    ...createPruning(ports, requireSession),
    ...createUncondensing(ports, requireSession),
    ...createLeavingOut(ports, requireSession),
    ...createFitEstimates(ports, requireSession),
    ...createExporting(ports, requireSession),

    async timeline(sessionId) {
      await requireSession(sessionId)
      return timelineOf(await ports.store.history.outline(sessionId))
    },
  }
}
