import { estimateTextTokens } from '../../context/estimate-tokens.ts'
import type { LoadedSkill } from '../../context/loaded-skills.ts'
import type { HistoryOperation } from '../../domain/history/history-operation.ts'
import { createId } from '../../domain/ids.ts'
import type { ChatMessage } from '../../domain/message/message.ts'
import type { Session } from '../../domain/session/session.ts'
import { toRanges } from '../../domain/values/seq-ranges.ts'
import type { CountedWindow } from '../../domain/window/counted-window.ts'
import type { HistoryChange } from '../../ports/index.ts'
import { withMarks } from '../plan/marks.ts'
import { measured } from '../plan/measured.ts'
import type { Summary } from '../plan/plan-compaction.ts'
import { sizeOf } from '../plan/plan-compaction.ts'
import { innerOutputs } from '../plan/prunable-outputs.ts'
import type { Chosen } from '../read/choose-summarised.ts'

export type CompactionSizes = {
  summary: number
  /** Tokens of the summarised messages. */
  gone: number
  /** What the window will hold with the summary alone, and with the tail. */
  alone: number
  after: number
  /** Parts of the tail whose outputs are left out as well. */
  savedParts: string[]
}

export function sizesAfter(
  chosen: Chosen,
  { used, gone, fixed }: { used: number; gone: number; fixed: number },
  text: string,
  replyId: string | null,
): CompactionSizes {
  const { tail, next, estimator } = chosen
  const summary = estimateTextTokens(text, estimator.providerId, estimator.scale)
  const kept = tail.filter(({ id }) => id !== next?.id)
  const left = tailAfter(chosen, replyId)
  // What is counted and seen in no message is the system prompt and the tools, which stay.
  const others = Math.max(0, used - gone - sizeOf(kept))
  const counted = fixed + summary + left.tokens < used ? Math.max(fixed, others) : others
  const alone = counted + summary
  return { summary, gone, alone, after: alone + left.tokens, savedParts: left.savedParts }
}

/** What is left of the tail once the outputs inside a turn that is too large are left out. */
export function tailAfter(
  { newest, estimator, tail, next, split }: Chosen,
  replyId: string | null,
): { tokens: number; savedParts: string[] } {
  const keptIds = new Set(tail.filter(({ id }) => id !== next?.id).map(({ id }) => id))
  const messages = newest.filter(({ id }) => keptIds.has(id))
  const savedParts = split ? innerOutputs(messages, replyId, estimator).map(({ partId }) => partId) : []
  const left = messages.map(withMarks(savedParts, 0)).map((message) => measured(message, estimator))
  return { tokens: sizeOf(left), savedParts }
}

/** The operation with everything that it changes, and the summary as a message. */
export function compactionChange(
  {
    session,
    operationId,
    used,
    fixed,
    auto,
  }: { session: Session; operationId: string; used: number; fixed: number; auto: boolean },
  { summarised, tail, shortened, split, estimator, goes }: Chosen,
  summary: Summary & { skills: readonly LoadedSkill[] },
  sizes: CompactionSizes,
  { lastSeq, at }: { lastSeq: number; at: number },
): { operation: HistoryOperation; change: HistoryChange; message: ChatMessage } {
  const { id: sessionId } = session
  const messageId = createId('msg')
  const tailStartId = tail[0]?.id ?? ''
  const { savedParts } = sizes
  const operation: HistoryOperation = {
    id: operationId,
    sessionId,
    kind: 'compaction',
    createdAt: at,
    detail: {
      lastSeq,
      hidden: toRanges(summarised.map(({ seq }) => seq)),
      shown: [],
      summarySeq: lastSeq + 1,
      summaryMessageId: messageId,
      tailStartId,
      auto,
      ...(shortened && { shortened }),
      ...(split && { split }),
      ...(savedParts.length > 0 && { partIds: savedParts }),
      beforeTokens: used,
      afterTokens: sizes.after,
      summaryTokens: summary.tokens,
    },
  }
  const window: CountedWindow = {
    tokens: sizes.alone,
    compactionId: operationId,
    fixed,
    estimated: true,
    ...(estimator.scale !== 1 && { scale: estimator.scale }),
  }
  const data = {
    summary: summary.text,
    tail_start_id: tailStartId,
    ...(summary.skills.length > 0 && { skills: summary.skills }),
    auto,
    summary_tokens: sizes.summary,
    before_tokens: used,
    after_tokens: sizes.after,
  }
  const kind = { synthetic: true, summary: true, compactionId: operationId } as const
  const { leftOut } = goes
  const told = leftOut !== undefined && { promptLeftOut: leftOut }
  const metadata = { schemaVersion: 1, createdAt: at, ...kind, window, ...told } as const
  const parts = [{ type: 'data-compaction', data }] satisfies ChatMessage['parts']
  const change: HistoryChange = {
    operation,
    insert: { id: messageId, sessionId, role: 'assistant', metadata, parts },
    prune: savedParts,
    unprune: [],
    contextTokens: sizes.after,
    contextEstimated: true,
  }
  return { operation, change, message: { id: messageId, role: 'assistant', metadata, parts } }
}
