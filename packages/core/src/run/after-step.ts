import type { StoredMessage } from '../domain/message/message.ts'
import type { Reminder } from '../domain/message/reminder.ts'
import type { BudgetUse } from '../domain/model/budget.ts'
import type { Agent } from './agent.ts'
import type { StepEnd } from './call/answer-chunks.ts'
import { callsOfSteps } from './carried-calls.ts'
import { isWarnedOf, judgeRepetition, observeCalls, type Repetition } from './doom-loop.ts'
import { CONTINUE_NOTE, LOOP_NOTE } from './reminder.ts'
import type { RunOutcome } from './run-outcome.ts'
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

/** A step whose answer is there, with the calls that it makes. */
export type AnsweredStep = { state: StepState; end: Pick<StepEnd, 'finishReason' | 'calls' | 'paused'> }

/** The warning of a repetition that an earlier run has left is repeated: this run's model has not had it. */
export function firstStep({ continues, carried }: { continues: boolean; carried: Repetition }): NextStep {
  const reminders = [...(continues ? [CONTINUE_NOTE] : []), ...(isWarnedOf(carried) ? [LOOP_NOTE] : [])]
  return { type: 'go-on', state: { step: 1, reminders, repetition: carried } }
}

/** The step at which the run of this reply has waited: its last one. */
export function resumedStep({ parts }: Pick<StoredMessage, 'parts'>, carried: Repetition): AnsweredStep {
  const steps = callsOfSteps(parts)
  const calls = steps.at(-1) ?? []
  const repetition = steps.slice(0, -1).reduce(observeCalls, carried)
  return {
    state: { step: steps.length, reminders: [], repetition },
    end: { finishReason: 'tool-calls', calls, paused: false },
  }
}

/** The end of a run whose budget is spent. */
export function endByBudget(budget: BudgetUse): NextStep {
  return { type: 'end', outcome: { type: 'finished', finishReason: 'budget', budget } }
}

/** Decides what follows a step whose calls are made: the run's end, or one more step. */
export function afterStep(
  agent: Agent,
  state: StepState,
  end: AnsweredStep['end'],
  spent: BudgetUse | null,
): NextStep {
  const outcome = naturalEnd(end, agent)
  if (outcome !== null) return { type: 'end', outcome }
  if (state.step >= agent.maxSteps)
    return { type: 'end', outcome: { type: 'finished', finishReason: 'max-steps' } }
  if (spent !== null) return endByBudget(spent)

  const repetition = observeCalls(state.repetition, end.calls)
  const verdict = judgeRepetition(state.repetition, repetition)
  if (verdict === 'stop') return { type: 'end', outcome: { type: 'finished', finishReason: 'doom-loop' } }
  const reminders = verdict === 'warn' ? [LOOP_NOTE] : []
  return { type: 'go-on', state: { step: state.step + 1, reminders, repetition } }
}
