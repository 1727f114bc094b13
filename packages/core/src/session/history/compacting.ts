import { AppError } from '../../domain/errors.ts'
import { createId } from '../../domain/ids.ts'
import type { Session } from '../../domain/session.ts'
import type { CompactionConfig } from '../../history/compaction/compaction-config.ts'
import { planUncompaction } from '../../history/compaction/plan-uncompaction.ts'
import type { HistoryService } from '../history-service.ts'
import { sessionWindow } from '../session-window.ts'
import { type Compacted, compact } from './compact.ts'
import { announceChange, type HistoryPorts, resultOf, visibilityChange, whileHeld } from './perform.ts'

/** Making room by hand, and taking that back. */
export function createCompacting(
  ports: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
  config: CompactionConfig,
  afterwards: (sessionId: string) => void,
): Pick<HistoryService, 'compact' | 'uncompact'> {
  const { store, coordinator } = ports

  return {
    async compact(sessionId) {
      const session = await requireSession(sessionId)
      const operationId = createId('op')
      const claim = coordinator.claim(sessionId, { runId: operationId, messageId: operationId })
      try {
        const window = await sessionWindow(session, ports)
        // With an unknown limit, what is there is what may be there.
        const usable = window.usable ?? window.used
        const request = { session, operationId, used: window.used, usable, auto: false, runId: null, config }
        const outcome = await compact({ ...request, signal: claim.signal }, ports)
        return resultOrError(outcome)
      } finally {
        claim.release()
        afterwards(sessionId)
      }
    },

    async uncompact(sessionId) {
      const session = await requireSession(sessionId)
      return await whileHeld(ports, sessionId, async (id) => {
        const outline = await store.history.outline(sessionId)
        const operation = { id, kind: 'uncompaction' as const, detail: planUncompaction(outline) }
        const change = await visibilityChange(session, outline, operation, ports)
        const changed = await store.history.apply(change)
        await announceChange(change.operation, outline, changed, ports)
        return resultOf(change.operation, outline)
      })
    },
  }
}

function resultOrError(outcome: Compacted) {
  switch (outcome.type) {
    case 'compacted': {
      const { beforeTokens = 0, afterTokens = 0 } = outcome.operation.detail
      return {
        operationId: outcome.operation.id,
        hidden: outcome.hidden,
        restored: 0,
        beforeTokens,
        afterTokens,
      }
    }
    case 'refused':
      throw new AppError('CONFLICT', REFUSALS[outcome.reason])
    case 'given-up':
    case 'failed':
      throw new AppError('COMPACTION_FAILED', outcome.message)
  }
}

const REFUSALS: Record<Extract<Compacted, { type: 'refused' }>['reason'], string> = {
  'first-turn': 'There is only one turn yet; nothing can be summarised.',
  'too-soon': 'The last summary is too recent.',
  'nothing-to-summarise': 'Everything before the last turn is summarised already.',
}
