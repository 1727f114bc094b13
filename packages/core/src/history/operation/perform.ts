import type { HistoryDetail, HistoryKind, HistoryOperation } from '../../domain/history-operation.ts'
import { createId } from '../../domain/ids.ts'
import type { StoredMessage } from '../../domain/message.ts'
import type { Outline } from '../../domain/outline.ts'
import { inRanges, type SeqRange } from '../../domain/seq-ranges.ts'
import type { Session } from '../../domain/session.ts'
import type { HistoryChange } from '../../ports/index.ts'
import type { Claim, Coordinator } from '../../state/coordinator.ts'
import type { StoreClaims } from '../../state/store-claims.ts'
import type { SummaryDrafts } from '../compaction/summary-drafts.ts'
import type { CorePorts } from '../core-ports.ts'
import type { Workspace } from '../files/workspace.ts'
import type { HistoryResult } from '../history-service.ts'
import { measureWindow, withMarks } from '../window/measure-window.ts'
import type { WindowPorts } from '../window/session-window.ts'
import { announceUsage } from './announce.ts'
import { viewAfter } from './change.ts'
import { visibleNow } from './outline.ts'
import { planOutputs } from './plan-outputs.ts'
import { publishChanged } from './publish-changed.ts'

export type HistoryPorts = CorePorts &
  WindowPorts & {
    coordinator: Coordinator
    claims: StoreClaims
    drafts: SummaryDrafts
    workspace: Workspace
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
  { store, clock }: HistoryPorts,
): Promise<HistoryChange> {
  const at = clock.now()
  const { prune, unprune } = planOutputs(outline, operation.detail)
  const partIds = [...prune, ...unprune]
  const restore = withMarks(unprune, null)
  const leaveOut = withMarks(prune, at)
  const changing = partIds.length === 0 ? undefined : (message: StoredMessage) => leaveOut(restore(message))
  const [before, after] = await Promise.all([
    measureWindow(session, outline, visibleNow(outline), store),
    measureWindow(session, outline, viewAfter(outline, operation.detail), store, changing),
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
    ...after,
  }
}

/** Publishes what an operation hid and showed, and the session's row, usage and window after it. */
export async function announceChange(
  operation: HistoryOperation,
  outline: Outline,
  session: Session,
  ports: HistoryPorts,
) {
  const { events } = ports
  const { id, sessionId, detail } = operation
  const hidden = entriesIn(outline, detail.hidden)
  if (hidden.length > 0)
    events.publish({ type: 'message-hidden', sessionId, messageIds: hidden, hiddenBy: id })
  const shown = entriesIn(outline, detail.shown)
  if (shown.length > 0) events.publish({ type: 'message-shown', sessionId, messageIds: shown })
  events.publish({ type: 'history', sessionId, operation })
  await publishChanged(sessionId, repliesOf(detail.partIds ?? [], outline), ports)
  await announceUsage(session, ports)
}

/** The replies among which those are that hold these outputs: what compactions that left them out have not hidden. */
function repliesOf(partIds: readonly string[], { entries, operations }: Outline): string[] {
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
    hidden: entriesIn(outline, detail.hidden).length,
    restored: entriesIn(outline, detail.shown).length,
  }
}

function entriesIn({ entries }: Outline, ranges: readonly SeqRange[]): string[] {
  return entries.filter(({ seq }) => inRanges(ranges, seq)).map(({ id }) => id)
}
