import { AppError } from '../../domain/errors.ts'
import type { HistoryDetail } from '../../domain/history/history-operation.ts'
import type { Outline } from '../../domain/history/outline.ts'
import type { Role } from '../../domain/message/message.ts'
import { inRanges } from '../../domain/values/seq-ranges.ts'
import { changeTo } from './change.ts'
import type { CompactionConfig } from './compaction-config.ts'
import { visibleNow } from './view.ts'

/** A visible message with its size; summaries of earlier compactions carry their `compactionId`. */
export type Measured = { id: string; seq: number; role: Role; tokens: number; compactionId: string | null }

/** The text of a summary, and the tokens that it takes. */
export type Summary = { text: string; tokens: number }

export type CompactionPlan =
  | {
      type: 'compact'
      /** The messages to summarise, an earlier summary first, and the tail that stays as it is. */
      summarised: readonly Measured[]
      tail: readonly Measured[]
      /** The tail took more than its budget and was cut to one turn. */
      shortened: boolean
      /** Even that turn is too large: the tool outputs inside it are left out of what the model sees. */
      split: boolean
    }
  | { type: 'refused'; reason: RefusalReason }

export type RefusalReason = 'first-turn' | 'too-soon' | 'nothing-to-summarise'

/**
 * Divides the visible messages into those to summarise and the tail that stays: the last turns, as many as
 * `tail_turns` asks and `tail_budget_pct` of `usable` tokens allows, at least one. Only sizes of messages that may be in the
 * tail matter.
 */
export function planCompaction(
  visible: readonly Measured[],
  usable: number,
  config: Pick<CompactionConfig, 'tail_turns' | 'tail_budget_pct' | 'min_turns_between'>,
): CompactionPlan {
  const earlier = visible.filter(({ compactionId }) => compactionId !== null)
  const turns = toTurns(visible.filter(({ compactionId }) => compactionId === null))
  if (turns.length < 2)
    return { type: 'refused', reason: earlier.length > 0 ? 'nothing-to-summarise' : 'first-turn' }
  const since = earlier.at(-1)?.seq ?? 0
  const turnsSince = turns.filter(([first]) => (first?.seq ?? 0) > since).length
  if (earlier.length > 0 && turnsSince < config.min_turns_between)
    return { type: 'refused', reason: 'too-soon' }

  const budget = config.tail_budget_pct * usable
  // At least one turn must go, or there is nothing to gain.
  const wanted = turns.slice(-Math.min(config.tail_turns, turns.length - 1))
  const shortened = wanted.length > 1 && sizeOf(wanted.flat()) > budget
  const kept = shortened ? wanted.slice(-1) : wanted
  const tail = kept.flat()
  const summarised = [...earlier, ...turns.slice(0, turns.length - kept.length).flat()]
  return { type: 'compact', summarised, tail, shortened, split: kept.length === 1 && sizeOf(tail) > budget }
}

export function sizeOf(messages: readonly Measured[]): number {
  return messages.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** A turn begins with each user message; messages before the first one belong to its turn. */
export function toTurns<T extends { role: Role }>(messages: readonly T[]): T[][] {
  const turns: T[][] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (last === undefined || (message.role === 'user' && last.some(({ role }) => role === 'assistant')))
      turns.push([message])
    else last.push(message)
  }
  return turns
}

/**
 * The plan that uses a summary written beforehand of the messages `ids`: they are still at the
 * beginning of what is visible, and what has come after them takes at most `budget` tokens. Null when it cannot.
 */
export function planFromDraft(
  visible: readonly Measured[],
  ids: readonly string[],
  budget: number,
): Extract<CompactionPlan, { type: 'compact' }> | null {
  const ordered = [
    ...visible.filter(({ compactionId }) => compactionId !== null),
    ...visible.filter(({ compactionId }) => compactionId === null),
  ]
  const tail = ordered.slice(ids.length)
  if (ids.some((id, index) => ordered[index]?.id !== id)) return null
  if (tail.length === 0 || sizeOf(tail) > budget) return null
  return { type: 'compact', summarised: ordered.slice(0, ids.length), tail, shortened: false, split: false }
}

/**
 * True when the summary of the last automatic compaction is still visible and no model call has been completed under
 * it: another compaction could repeat for ever. One that a user requested or undid does not count.
 */
export function awaitsStep({ entries, operations }: Outline): boolean {
  const last = operations.findLast(({ kind, detail }) => kind === 'compaction' && detail.auto === true)
  if (last === undefined) return false
  const isVisible = entries.some(
    ({ compactionId, hiddenBy }) => compactionId === last.id && hiddenBy === null,
  )
  return (
    isVisible &&
    !entries.some((entry) => entry.compactionId === null && entry.window?.compactionId === last.id)
  )
}

/** Takes back the compaction whose summary is visible: hides the summary and shows the messages it replaced. */
export function planUncompaction(outline: Outline): HistoryDetail {
  const summary = outline.entries.findLast(
    ({ compactionId, hiddenBy }) => compactionId !== null && hiddenBy === null,
  )
  if (summary === undefined) throw new AppError('CONFLICT', 'Nothing is summarised in this session.')
  const operation = outline.operations.find(({ id }) => id === summary.compactionId)
  if (operation === undefined) {
    const message = 'The messages of this summary are in the session that this one was branched from.'
    throw new AppError('CONFLICT', message)
  }
  const { hidden } = operation.detail
  const next = new Set(visibleNow(outline))
  for (const { seq } of outline.entries) if (inRanges(hidden, seq)) next.add(seq)
  next.delete(summary.seq)
  return { ...changeTo(outline, next), undoes: operation.id }
}
