import type { Agent } from './agent.ts'
import type { StepOutcome } from './ask-model.ts'
import { judgeRepetition, LOOP_WARNING, NO_REPETITION, observeCalls, type Repetition } from './doom-loop.ts'
import { CONTINUE_NOTE, type Reminder } from './reminder.ts'
import { failedByProvider, type RunOutcome } from './run-outcome.ts'
import { naturalEnd } from './stop-conditions.ts'

/** The state that a run keeps from one step to the next. */
export type StepState = {
  /** From 1. */
  step: number
  /** Given to the model once, with the next call. */
  reminders: readonly Reminder[]
  repetition: Repetition
}

export type NextStep = { type: 'end'; outcome: RunOutcome } | { type: 'go-on'; state: StepState }

export const ABORTED_STEP: NextStep = { type: 'end', outcome: { type: 'aborted' } }

export function firstStep({ continues }: { continues: boolean }): StepState {
  return { step: 1, reminders: continues ? [CONTINUE_NOTE] : [], repetition: NO_REPETITION }
}

/** Decides what follows a finished step: the run's end, or one more step. */
export function afterStep(
  agent: Agent,
  state: StepState,
  answer: Exclude<StepOutcome, { type: 'aborted' }>,
): NextStep {
  if (answer.type === 'failed') return { type: 'end', outcome: failedByProvider(answer.failure) }
  const end = naturalEnd(answer.end, agent)
  if (end !== null) return { type: 'end', outcome: end }
  if (state.step >= agent.maxSteps)
    return { type: 'end', outcome: { type: 'finished', finishReason: 'max-steps' } }

  const repetition = observeCalls(state.repetition, answer.end.calls)
  const verdict = judgeRepetition(state.repetition, repetition)
  if (verdict === 'stop') return { type: 'end', outcome: { type: 'finished', finishReason: 'doom-loop' } }
  const reminders = verdict === 'warn' ? [LOOP_WARNING] : []
  return { type: 'go-on', state: { step: state.step + 1, reminders, repetition } }
}
