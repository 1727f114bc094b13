import type { HistoryDetail, HistoryKind } from '../../domain/history-operation.ts'
import { createId } from '../../domain/ids.ts'
import type { Outline } from '../../domain/outline.ts'
import type { Session } from '../../domain/session.ts'
import { planRewind, planUnrewind } from '../../history/plan-rewind.ts'
import type { HistoryChange } from '../../ports/index.ts'
import type { HistoryResult, HistoryService } from '../history-service.ts'
import { announceChange, type HistoryPorts, resultOf, visibilityChange, whileHeld } from './perform.ts'

/** Going back to a message, and taking that back. */
export function createRewinding(
  ports: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
): Pick<HistoryService, 'rewind' | 'unrewind'> {
  const { store } = ports

  async function walk(
    sessionId: string,
    kind: HistoryKind,
    plan: (outline: Outline) => HistoryDetail,
  ): Promise<HistoryResult> {
    const session = await requireSession(sessionId)
    return await whileHeld(ports, sessionId, async (id) => {
      const outline = await store.history.outline(sessionId)
      const change = await visibilityChange(session, outline, { id, kind, detail: plan(outline) }, ports)
      const changed = await store.history.apply(change)
      await announceChange(change.operation, outline, changed, ports)
      return resultOf(change.operation, outline)
    })
  }

  return {
    async rewind({ sessionId, messageId, preview }) {
      const plan = (outline: Outline) => planRewind(outline, messageId, { replace: false })
      if (!preview) return await walk(sessionId, 'rewind', plan)
      await requireSession(sessionId)
      const outline = await store.history.outline(sessionId)
      const operation = { id: '', sessionId, kind: 'rewind' as const, detail: plan(outline), createdAt: 0 }
      return resultOf(operation, outline)
    },

    unrewind: ({ sessionId, operationId }) =>
      walk(sessionId, 'unrewind', (outline) => planUnrewind(outline, operationId)),
  }
}

export type PlannedRewind = { change: HistoryChange; outline: Outline }

/** The rewind that makes room for a new message or a new reply; null when it would change nothing. */
export async function rewindFor(
  session: Session,
  target: { messageId: string; replace: boolean },
  ports: HistoryPorts,
): Promise<PlannedRewind> {
  const outline = await ports.store.history.outline(session.id)
  const detail = planRewind(outline, target.messageId, target)
  const change = await visibilityChange(
    session,
    outline,
    { id: createId('op'), kind: 'rewind', detail },
    ports,
  )
  return { change, outline }
}
