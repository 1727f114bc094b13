/** Consecutive identical tool calls: how many, and of what. A run that goes on from another one counts on. */
export type Repetition = { call: string | null; count: number }

export type LoopVerdict = 'fine' | 'warn' | 'stop'

/** Identical calls in a row after which the model is warned, and after as many again the run ends. */
const WARN_AFTER = 3
const STOP_AFTER = 2 * WARN_AFTER

export const NO_REPETITION: Repetition = { call: null, count: 0 }

export const LOOP_WARNING =
  'You have made the same tool call with the same arguments several times in a row. Its result will not change. ' +
  'Try something else, or answer with what you know.'

/** Counts the calls of a step in; calls are the same when name and arguments are. */
export function observeCalls(
  seen: Repetition,
  calls: readonly { name: string; input: unknown }[],
): Repetition {
  return calls.reduce<Repetition>((repetition, { name, input }) => {
    const call = `${name} ${JSON.stringify(input)}`
    return { call, count: call === repetition.call ? repetition.count + 1 : 1 }
  }, seen)
}

/** Whether a model is to be warned of so many calls, or has been. */
export function isWarnedOf({ count }: Repetition): boolean {
  return count >= WARN_AFTER
}

/** Decides what follows after a step has changed the count from `before` to `after`. The warning is given once. */
export function judgeRepetition(before: Repetition, after: Repetition): LoopVerdict {
  if (after.count >= STOP_AFTER) return 'stop'
  const warnedBefore = before.call === after.call && isWarnedOf(before)
  return isWarnedOf(after) && !warnedBefore ? 'warn' : 'fine'
}
