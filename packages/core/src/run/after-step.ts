import type { Agent } from './agent.ts'
import { judgeRepetition, LOOP_WARNING, observeCalls, type Repetition } from './doom-loop.ts'
import { failureEnd } from './failure.ts'
import type { Reminder } from './reminder.ts'
import type { RunEnd } from './run-types.ts'
import type { StepOutcome } from './step-with-retries.ts'
import { naturalEnd } from './stop-conditions.ts'

export type NextStep =
  | { type: 'end'; end: RunEnd }
  /** `reminders` are given to the model once, with its next call. */
  | { type: 'go-on'; reminders: Reminder[]; repetition: Repetition }

/** What follows from a finished step, the `step`-th of its run: the run's end, or one more. */
export function afterStep(
  agent: Agent,
  step: number,
  before: Repetition,
  outcome: Exclude<StepOutcome, { type: 'aborted' }>,
): NextStep {
  if (outcome.type === 'failed') return { type: 'end', end: failureEnd(outcome.failure) }
  const end = naturalEnd(outcome.end, agent)
  if (end !== null) return { type: 'end', end }
  if (step >= agent.maxSteps) return { type: 'end', end: { finishReason: 'max-steps' } }

  const repetition = observeCalls(before, outcome.end.calls)
  const verdict = judgeRepetition(before, repetition)
  if (verdict === 'stop') return { type: 'end', end: { finishReason: 'doom-loop' } }
  return { type: 'go-on', reminders: verdict === 'warn' ? [LOOP_WARNING] : [], repetition }
}
