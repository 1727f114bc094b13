import type { BlobKeeper } from '../../blob/blob-service.ts'
import type { Budgets } from '../../budget/budgets.ts'
import type { HistoryDetail, HistoryKind, HistoryOperation } from '../../domain/history/history-operation.ts'
import type { Outline } from '../../domain/history/outline.ts'
import { createId } from '../../domain/ids.ts'
import type { StoredMessage } from '../../domain/message/message.ts'
import type { Session } from '../../domain/session/session.ts'
import { inRanges, type SeqRange, toRanges } from '../../domain/values/seq-ranges.ts'
import type { HookRunner } from '../../hook/hook-runner.ts'
import type { LearnedWindows } from '../../model/learned-windows.ts'
import type { HistoryChange } from '../../ports/index.ts'
import type { Claim, Coordinator } from '../../state/coordinator.ts'
import type { StoreClaims } from '../../state/store-claims.ts'
import type { CorePorts } from '../core-ports.ts'
import type { Workspace } from '../files/workspace.ts'
import type { HistoryResult } from '../history-service.ts'
import { viewAfter } from '../plan/change.ts'
import { withLeftOut } from '../plan/marks.ts'
import { momentOf } from '../plan/moment.ts'
import { type OutputsChange, outputsThen, withOutputs } from '../plan/outputs-then.ts'
import { planOutputs } from '../plan/plan-outputs.ts'
import { visibleNow } from '../plan/view.ts'
import { measureWindow } from '../read/measure-window.ts'
import type { WindowPorts } from '../read/session-window.ts'
import type { FailedAttempts } from '../summary/failed-attempts.ts'
import type { SummaryDrafts } from '../summary/summary-drafts.ts'
import { announceUsage } from './announce.ts'
import { publishChanged } from './publish-changed.ts'

export type HistoryPorts = CorePorts &
  WindowPorts & {
    keeper: BlobKeeper
    budgets: Budgets
    hookRunner: HookRunner
    coordinator: Coordinator
    claims: StoreClaims
    drafts: SummaryDrafts
    failedAttempts: FailedAttempts
    learnedWindows: LearnedWindows
    workspace: Workspace
    /** Stops the run of a subagent and resolves once it has settled. */
    stops: { stop(sessionId: string): Promise<void> }
  }

/** Runs `work` under an exclusive claim on the session, after stale claims have ended. `SESSION_BUSY` during a run. */
export async function withExclusiveClaim<T>(
  { coordinator, claims }: Pick<HistoryPorts, 'coordinator' | 'claims'>,
  sessionId: string,
  work: (operationId: string, claim: Claim) => Promise<T>,
): Promise<T> {
  const operationId = createId('op')
  const claim = coordinator.claim(sessionId, { runId: operationId, messageId: null, quiet: true })
  try {
    await claims.endStale(sessionId)
    return await work(operationId, claim)
  } finally {
    claim.release()
  }
}

/** The change that `detail` describes, with the outputs that it prunes or restores, and the window after it. */
export async function visibilityChange(
  session: Session,
  outline: Outline,
  operation: { id: string; kind: HistoryKind; detail: HistoryDetail },
  ports: HistoryPorts,
): Promise<HistoryChange> {
  const at = ports.clock.now()
  const outputs = outputsOf(outline, operation.detail)
  const { prune, unprune, forms } = outputs
  const partIds = [...prune, ...unprune]
  const { leftOut = [], broughtBack = [] } = operation.detail
  const seen = withOutputs(outputs, at)
  const left = withLeftOut(leftOut, true)
  const back = withLeftOut(broughtBack, false)
  const changes = partIds.length + forms.length + leftOut.length + broughtBack.length > 0
  const changing = changes ? (message: StoredMessage) => left(back(seen(message))) : undefined
  const [before, after] = await Promise.all([
    measureWindow(session, outline, visibleNow(outline), ports),
    measureWindow(session, outline, viewAfter(outline, operation.detail), ports, changing),
  ])
  const detail = {
    ...operation.detail,
    ...(partIds.length > 0 && { partIds }),
    beforeTokens: before.contextTokens,
    afterTokens: after.contextTokens,
  }
  return {
    operation: { ...operation, detail, sessionId: session.id, createdAt: at },
    insert: null,
    prune,
    unprune,
    forms,
    ...after,
  }
}

/** A return to a point makes the model see each output as it did then; other changes move what compactions left out. */
function outputsOf(outline: Outline, detail: HistoryDetail): OutputsChange {
  if (detail.pointId === undefined) return { ...planOutputs(outline, detail), forms: [] }
  return outputsThen(outline, momentOf(outline, detail.pointId))
}

/** Publishes what a change hid and showed, and the session's row, usage and window after it. */
export async function announceChange(
  change: HistoryChange,
  outline: Outline,
  session: Session,
  ports: HistoryPorts,
) {
  const { events } = ports
  const { operation } = change
  const { id, sessionId, detail } = operation
  const hidden = entriesIn(outline, detail.hidden)
  if (hidden.length > 0)
    events.publish({ type: 'message-hidden', sessionId, messageIds: hidden, hiddenBy: id })
  const shown = entriesIn(outline, detail.shown)
  if (shown.length > 0) events.publish({ type: 'message-shown', sessionId, messageIds: shown })
  events.publish({ type: 'history', sessionId, operation })
  const { leftOut = [], broughtBack = [] } = detail
  await publishChanged(sessionId, await repliesOf(change, outline, ports), ports)
  await publishChanged(sessionId, [...leftOut, ...broughtBack], ports, { hidden: true })
  await announceUsage(session, ports)
}

/** The replies among which those are whose outputs the model sees differently now. */
async function repliesOf(
  { operation: { sessionId, detail }, forms = [] }: HistoryChange,
  outline: Outline,
  { store }: HistoryPorts,
): Promise<string[]> {
  const { partIds = [], pointId } = detail
  if (pointId === undefined || partIds.length === 0)
    return [...repliesInTails(partIds, outline), ...forms.map(({ messageId }) => messageId)]
  const marked = new Set(partIds)
  const replies = outline.entries.filter(({ role }) => role === 'assistant').map(({ seq }) => seq)
  const found = forms.map(({ messageId }) => messageId)
  for (let start = 0; start < replies.length; start += BATCH) {
    const messages = await store.history.messagesAt(sessionId, toRanges(replies.slice(start, start + BATCH)))
    for (const { id, parts } of messages) if (parts.some((part) => marked.has(part.id))) found.push(id)
  }
  return found
}

/** Replies whose bodies are held at once. */
const BATCH = 100

/** The replies that compactions which left these outputs out have not hidden. */
function repliesInTails(partIds: readonly string[], { entries, operations }: Outline): string[] {
  const compactions = operations.filter(
    ({ kind, detail }) => kind === 'compaction' && detail.partIds?.some((id) => partIds.includes(id)),
  )
  return compactions.flatMap(({ detail: { tailStartId, lastSeq } }) => {
    const start = entries.find(({ id }) => id === tailStartId)?.seq ?? Number.POSITIVE_INFINITY
    const tail = entries.filter(({ seq }) => seq >= start && seq <= lastSeq)
    return tail.filter(({ role }) => role === 'assistant').map(({ id }) => id)
  })
}

export function resultOf({ id, detail }: HistoryOperation, outline: Outline): HistoryResult {
  return {
    operationId: id,
    hidden: countIn(outline, detail.hidden),
    restored: countIn(outline, detail.shown),
  }
}

function countIn({ entries }: Outline, ranges: readonly SeqRange[]): number {
  return entries.filter(({ seq, compactionId }) => compactionId === null && inRanges(ranges, seq)).length
}

function entriesIn({ entries }: Outline, ranges: readonly SeqRange[]): string[] {
  return entries.filter(({ seq }) => inRanges(ranges, seq)).map(({ id }) => id)
}
