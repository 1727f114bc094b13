import { isSummary } from '../../context/model-view.ts'
import type { HistoryDetail, HistoryKind } from '../../domain/history/history-operation.ts'
import type { Outline } from '../../domain/history/outline.ts'
import { createId } from '../../domain/ids.ts'
import type { Session } from '../../domain/session/session.ts'
import type { HistoryChange } from '../../ports/index.ts'
import { type FilePlan, filesNoted } from '../files/workspace.ts'
import type { HistoryService, RewindResult } from '../history-service.ts'
import { viewAfter } from '../plan/change.ts'
import { leftUnanswered, planRestore, planRewind, planUnrewind, planVersion } from '../plan/plan-rewind.ts'
import { measureWindow } from '../read/measure-window.ts'
import { withFixedPart } from '../read/session-window.ts'
import type { WindowEstimate } from '../read/window-estimate.ts'
import {
  announceChange,
  type HistoryPorts,
  resultOf,
  visibilityChange,
  withExclusiveClaim,
} from './perform.ts'

/** Rewind to a message, its undo, and the return to any earlier state. */
export function createRewinding(
  ports: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
): Pick<HistoryService, 'rewind' | 'unrewind' | 'switchVersion' | 'restoreTo'> {
  const { store, workspace } = ports

  async function apply(
    sessionId: string,
    kind: HistoryKind,
    plan: (outline: Outline) => HistoryDetail,
  ): Promise<RewindResult> {
    const session = await requireSession(sessionId)
    return await withExclusiveClaim(ports, sessionId, async (id) => {
      const outline = await store.history.outline(sessionId)
      const planned = plan(outline)
      const files = await workspace.plan(session, outline, planned)
      const detail = { ...planned, ...filesNoted(files) }
      const change = await visibilityChange(session, outline, { id, kind, detail }, ports)
      const changed = await store.history.apply(change)
      // The stored operation has both states, so it can be undone even if the files could not be restored.
      const moved = files === null || (await workspace.restoreFiles(session, files))
      await announceChange(change, outline, changed, ports)
      return { ...resultOf(change.operation, outline), ...filesIn(files, moved) }
    })
  }

  /** What an operation would do; nothing is changed. */
  async function count(
    sessionId: string,
    kind: HistoryKind,
    plan: (outline: Outline) => HistoryDetail,
  ): Promise<RewindResult> {
    const session = await requireSession(sessionId)
    const outline = await store.history.outline(sessionId)
    const operation = { id: '', sessionId, kind, detail: plan(outline), createdAt: 0 }
    const files = await workspace.plan(session, outline, operation.detail)
    return { ...resultOf(operation, outline), ...filesIn(files, true) }
  }

  return {
    rewind: ({ sessionId, messageId, preview }) =>
      (preview ? count : apply)(sessionId, 'rewind', (outline) =>
        planRewind(outline, messageId, { replace: false }),
      ),

    unrewind: ({ sessionId, operationId }) =>
      apply(sessionId, 'unrewind', (outline) => planUnrewind(outline, operationId)),

    switchVersion: ({ sessionId, messageId, operationId }) =>
      apply(sessionId, 'unrewind', (outline) => planVersion(outline, messageId, operationId)),

    restoreTo: ({ sessionId, pointId, preview }) =>
      (preview ? count : apply)(sessionId, 'unrewind', (outline) => planRestore(outline, pointId)),
  }
}

function filesIn(plan: FilePlan | null, moved: boolean): Pick<RewindResult, 'files'> {
  if (plan === null) return {}
  return { files: { count: plan.paths.length, ...(!moved && { failed: true as const }) } }
}

/** The message that a new reply is for, or that a new message takes the place of. */
export type RewindTarget = { messageId: string; replace: boolean }

/** A rewind with its plan for the files, which is executed once the rewind is stored. */
export type PlannedRewind = { change: HistoryChange; outline: Outline; files: FilePlan | null }

/** The rewind before a new message or a new reply; null when nothing has to change. */
export async function rewindFor(
  session: Session,
  target: RewindTarget | null,
  ports: HistoryPorts,
): Promise<PlannedRewind | null> {
  if (target === null && !(await mayBeUnanswered(session.id, ports))) return null
  const outline = await ports.store.history.outline(session.id)
  const planned = detailFor(outline, target)
  if (planned === null) return null
  const files = await ports.workspace.plan(session, outline, planned)
  const detail = { ...planned, ...filesNoted(files) }
  const operation = { id: createId('op'), kind: 'rewind' as const, detail }
  return { change: await visibilityChange(session, outline, operation, ports), outline, files }
}

/** The window estimate after that rewind; null when no rewind is needed. */
export async function estimateAfterRewind(
  session: Session,
  target: RewindTarget | null,
  ports: HistoryPorts,
): Promise<WindowEstimate | null> {
  const { store } = ports
  if (target === null && !(await mayBeUnanswered(session.id, { store }))) return null
  const outline = await store.history.outline(session.id)
  const detail = detailFor(outline, target)
  if (detail === null) return null
  const view = viewAfter(outline, detail)
  const measure = await measureWindow(session, outline, view, ports)
  const fixed = measure.fixed ?? ports.fixedParts.of(session, null)
  const visible = outline.entries.filter(({ seq }) => view.has(seq))
  return {
    visible: () => Promise.resolve(visible),
    used: withFixedPart(measure, fixed),
    estimated: measure.contextEstimated,
    fixed,
  }
}

/** False when two cheap reads show that no rewind has left a message unanswered, as in most sessions. */
async function mayBeUnanswered(sessionId: string, { store }: Pick<HistoryPorts, 'store'>): Promise<boolean> {
  if ((await store.history.lastRewind(sessionId)) === null) return false
  // A summary may come after the last message of the conversation.
  const { items } = await store.messages.page({ sessionId, limit: 2, hidden: false })
  return items.findLast((message) => !isSummary(message))?.role === 'user'
}

/** Without a target, a new message replaces a message that a rewind has left unanswered. */
function detailFor(outline: Outline, target: RewindTarget | null): HistoryDetail | null {
  const { messageId, replace } = target ?? { messageId: leftUnanswered(outline)?.id, replace: true }
  if (messageId === undefined) return null
  const detail = planRewind(outline, messageId, { replace })
  return detail.hidden.length + detail.shown.length === 0 ? null : detail
}
