import { ABORTED_STEP, endByBudget, type NextStep } from './after-step.ts'
import type { Conversation, RunState } from './run-state.ts'

/**
 * Makes room in the context window for the next model call. Returns the run's end when the call cannot be made; null when it can.
 */
export async function prepareCall(
  { signal, recorder, ledger }: RunState,
  { prompt, window }: Conversation,
  step: number,
): Promise<NextStep | null> {
  const spent = ledger.reached()
  if (spent !== null) return endByBudget(spent)
  const { message } = recorder
  const { view, leftOut } = prompt
  const capacity = await window.ensureCapacity(step, { message, view, pruned: leftOut(message).pruned })
  if (signal.aborted) return ABORTED_STEP
  if (capacity.type === 'failed') return { type: 'end', outcome: capacity }
  prompt.apply(capacity)
  // A summary may have spent the rest.
  const now = ledger.reached()
  return now === null ? null : endByBudget(now)
}
