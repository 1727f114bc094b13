import type { Role } from '../../domain/message.ts'
import type { CompactionConfig } from './compaction-config.ts'

/** A visible message with its size; summaries of earlier compactions carry their `compactionId`. */
export type Measured = { id: string; seq: number; role: Role; tokens: number; compactionId: string | null }

export type CompactionPlan =
  | {
      type: 'compact'
      /** What the summary stands for, an earlier summary first, and what stays as it is. */
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
 * Divides what is visible into what a summary will stand for and the tail that stays: the last turns, as many as
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

/** A turn begins with each user message; what stands before the first one belongs to it. */
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
