import { AppError } from '../../domain/errors.ts'
import { createId } from '../../domain/ids.ts'
import type { Session } from '../../domain/session.ts'
import type { HistoryService } from '../history-service.ts'
import {
  announceChange,
  type HistoryPorts,
  resultOf,
  visibilityChange,
  whileHeld,
} from '../operation/perform.ts'
import { sessionWindow } from '../window/session-window.ts'
import { type Compacted, type CompactRequest, compact, WAYS_OUT } from './compact.ts'
import { planUncompaction } from './plan-uncompaction.ts'

/** Making room by hand, and taking that back. */
export function createCompacting(
  ports: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
  afterwards: (sessionId: string) => void,
): Pick<HistoryService, 'compact' | 'uncompact'> {
  const { store } = ports

  return {
    async compact(sessionId) {
      const session = await requireSession(sessionId)
      try {
        const compacted = await compactAlone(session, ports, async () => {
          const { used, usable } = await sessionWindow(session, ports)
          // With an unknown limit, what is there is what may be there.
          return { used, usable: usable ?? used, auto: false }
        })
        return resultOrError(compacted)
      } finally {
        afterwards(sessionId)
      }
    },

    async uncompact(sessionId) {
      const session = await requireSession(sessionId)
      return await whileHeld(ports, sessionId, async (id) => {
        const outline = await store.history.outline(sessionId)
        const detail = planUncompaction(outline)
        const operation = { id, kind: 'uncompaction' as const, detail }
        const change = await visibilityChange(session, outline, operation, ports)
        const changed = await store.history.apply(change)
        await announceChange(change.operation, outline, changed, ports)
        return resultOf(change.operation, outline)
      })
    },
  }
}

/** `urgent`: however few turns have passed since the last time. */
type Sizes = Pick<CompactRequest, 'used' | 'usable' | 'auto' | 'next'> & { urgent?: boolean }

/** Compacts a session in which no run is on; while it lasts the session is busy, can be stopped, and queues what is sent. */
export async function compactAlone(
  session: Session,
  ports: HistoryPorts,
  measure: () => Promise<Sizes>,
): Promise<Compacted> {
  const operationId = createId('op')
  const claim = ports.coordinator.claim(session.id, { runId: operationId, messageId: null })
  try {
    await ports.claims.endStale(session.id)
    const { urgent, ...sizes } = await measure()
    const own = ports.compactionOf(session)
    const config = urgent ? { ...own, min_turns_between: 0 } : own
    return await compact({ ...sizes, session, operationId, config, signal: claim.signal }, ports)
  } catch (error) {
    if (claim.signal.aborted) throw new AppError('COMPACTION_FAILED', 'The compaction was stopped.')
    throw error
  } finally {
    claim.release()
  }
}

function resultOrError(outcome: Compacted) {
  switch (outcome.type) {
    case 'compacted': {
      const { id, detail } = outcome.operation
      const { beforeTokens = 0, afterTokens = 0 } = detail
      return { operationId: id, hidden: outcome.hidden, restored: 0, beforeTokens, afterTokens }
    }
    case 'refused':
      throw new AppError('CONFLICT', REFUSALS[outcome.reason])
    case 'given-up':
    case 'failed':
      throw new AppError('COMPACTION_FAILED', `${outcome.message} ${WAYS_OUT}`)
  }
}

const REFUSALS: Record<Extract<Compacted, { type: 'refused' }>['reason'], string> = {
  'first-turn': 'There is only one turn yet; nothing can be summarised.',
  'too-soon': 'The last summary is too recent.',
  'nothing-to-summarise': 'Everything before the last turn is summarised already.',
}
