import type { Session } from '../domain/session/session.ts'
import { createBranching } from './apply/branch.ts'
import { createLeavingOut } from './apply/leave-out.ts'
import type { HistoryPorts } from './apply/perform.ts'
import { createPruning } from './apply/prune.ts'
import { createRewinding } from './apply/rewind.ts'
import { createUncondensing } from './apply/uncondense.ts'
import { createCompacting } from './compaction/compact.ts'
import type { HistoryService } from './history-service.ts'
import { createPoints } from './read/points.ts'
import { timelineOf } from './read/timeline.ts'
import { createVersioning } from './read/versions.ts'
import { createFitEstimates } from './read/window-estimate.ts'
import { createExporting } from './transfer/export.ts'

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
