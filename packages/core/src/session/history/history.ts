import type { Session } from '../../domain/session.ts'
import type { HistoryService } from '../history-service.ts'
import { createBranching } from './branching.ts'
import { createCompacting } from './compacting.ts'
import { createExporting } from './exporting.ts'
import { createFitting } from './fitting.ts'
import type { HistoryPorts } from './perform.ts'
import { createPruning } from './pruning.ts'
import { createRewinding } from './rewinding.ts'
import { timelineOf } from './timeline.ts'
import { createUncondensing } from './uncondensing.ts'

/** Everything that can be done to a session's history. */
export function createHistory(
  ports: HistoryPorts & { agents: ReadonlyMap<string, unknown> },
  requireSession: (id: string) => Promise<Session>,
  afterwards: (sessionId: string) => void,
): HistoryService {
  return {
    ...createRewinding(ports, requireSession),
    ...createBranching(ports, requireSession),
    ...createCompacting(ports, requireSession, afterwards),
    ...createPruning(ports, requireSession),
    ...createUncondensing(ports, requireSession),
    ...createFitting(ports, requireSession),
    ...createExporting(ports, requireSession),

    async timeline(sessionId) {
      await requireSession(sessionId)
      return timelineOf(await ports.store.history.outline(sessionId))
    },
  }
}
