import { isSummary } from '../../context/model-view.ts'
import type { HistoryDetail, HistoryKind } from '../../domain/history/history-operation.ts'
import type { Outline } from '../../domain/history/outline.ts'
import { createId } from '../../domain/ids.ts'
import type { Session } from '../../domain/session/session.ts'
import { inRanges } from '../../domain/values/seq-ranges.ts'
import type { FileChoices } from '../../domain/workspace/file-journal.ts'
import type { HistoryChange } from '../../ports/index.ts'
import type { FilePlan } from '../files/plan-restore.ts'
import { filesNoted, filesPlanned } from '../files/workspace.ts'
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
    choices: FileChoices | undefined,
    plan: (outline: Outline) => Planned,
  ): Promise<RewindResult> {
    const session = await requireSession(sessionId)
    return await withExclusiveClaim(ports, sessionId, async (id) => {
      await workspace.settle(sessionId, false)
      const outline = await store.history.outline(sessionId)
      const { kind, detail: planned } = plan(outline)
      await stopRewound(session, outline, planned, ports)
      await workspace.idle(session)
      const files = await workspace.plan(session, outline, { id, detail: planned }, choices)
      const detail = { ...planned, ...filesNoted(files) }
      const change = await visibilityChange(session, outline, { id, kind, detail }, ports)
      // What is to happen to files is stored with the operation, so that it is finished or taken back whatever comes between.
      const changed = await store.history.apply({ ...change, files: files?.rows ?? [] })
      const moved = await workspace.restore(sessionId, files)
      await announceChange(change, outline, changed, ports)
      return { ...resultOf(change.operation, outline), ...(moved !== null && { files: moved }) }
    })
  }

  /** What an operation would do; nothing is changed. */
  async function count(
    sessionId: string,
    choices: FileChoices | undefined,
    plan: (outline: Outline) => Planned,
  ): Promise<RewindResult> {
    const session = await requireSession(sessionId)
    const outline = await store.history.outline(sessionId)
    const operation = { id: '', sessionId, ...plan(outline), createdAt: 0 }
    const files = await workspace.plan(session, outline, operation, choices)
    return { ...resultOf(operation, outline), ...filesPlanned(files) }
  }

  return {
    rewind: ({ sessionId, messageId, preview, files }) =>
      (preview ? count : apply)(sessionId, files, (outline) => ({
        kind: 'rewind',
        detail: planRewind(outline, messageId, { replace: false }),
      })),

    unrewind: ({ sessionId, operationId, files }) =>
      apply(
        sessionId,
        files,
        (outline) =>
          planRevertBack(outline, operationId) ?? {
            kind: 'unrewind',
            detail: planUnrewind(outline, operationId),
          },
      ),

    switchVersion: ({ sessionId, messageId, operationId, files }) =>
      apply(sessionId, files, (outline) => ({
        kind: 'unrewind',
        detail: planVersion(outline, messageId, operationId),
      })),

    restoreTo: ({ sessionId, pointId, preview, files }) =>
      (preview ? count : apply)(sessionId, files, (outline) => ({
        kind: 'unrewind',
        detail: planRestore(outline, pointId),
      })),
  }
}

type Planned = { kind: HistoryKind; detail: HistoryDetail }

/** Takes an operation back that changed files and no messages; null for any other one. */
function planRevertBack(outline: Outline, operationId: string | undefined): Planned | null {
  const operation = outline.operations.find(({ id, kind }) => id === operationId && kind === 'revert')
  if (operation === undefined) return null
  const lastSeq = outline.entries.at(-1)?.seq ?? 0
  return { kind: 'revert', detail: { lastSeq, hidden: [], shown: [], reverted: operation.id } }
}

/** Stops subagents in the background that hidden calls have started: what they would still write belongs to no visible call. */
async function stopRewound(
  { id: sessionId }: Session,
  { entries }: Outline,
  { hidden }: HistoryDetail,
  { store, coordinator, stops }: HistoryPorts,
): Promise<void> {
  const below = coordinator.subagents(sessionId)
  if (below.length === 0) return
  const ids = new Set(entries.flatMap(({ seq, id }) => (inRanges(hidden, seq) ? [id] : [])))
  for (const one of below) {
    const child = await store.sessions.get(one.sessionId)
    if (child?.parentId === sessionId && ids.has(child.parentMessageId ?? '')) await stops.stop(child.id)
  }
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
  choices?: FileChoices,
): Promise<PlannedRewind | null> {
  if (target === null && !(await mayBeUnanswered(session.id, ports))) return null
  const outline = await ports.store.history.outline(session.id)
  const planned = detailFor(outline, target)
  if (planned === null) return null
  await stopRewound(session, outline, planned, ports)
  await ports.workspace.idle(session)
  const id = createId('op')
  const files = await ports.workspace.plan(session, outline, { id, detail: planned }, choices)
  const operation = { id, kind: 'rewind' as const, detail: { ...planned, ...filesNoted(files) } }
  const change = await visibilityChange(session, outline, operation, ports)
  return { change: { ...change, files: files?.rows ?? [] }, outline, files }
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
