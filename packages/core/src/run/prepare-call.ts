import type { HookRunner } from '../hook/hook-runner.ts'
import { ABORTED_STEP, endByBudget, type NextStep } from './after-step.ts'
import type { Conversation, RunState, TurnPorts } from './run-state.ts'

/**
 * Frees space in the context window for the next model call. Returns the run's end when the call cannot be made; null when it can.
 */
export async function prepareCall(
  run: RunState,
  { prompt, window }: Conversation,
  step: number,
  { hookRunner }: Pick<TurnPorts, 'hookRunner'>,
): Promise<NextStep | null> {
  const { signal, recorder, ledger } = run
  const spent = ledger.reached()
  if (spent !== null) return endByBudget(spent)
  const { message } = recorder
  const { view, leftOut } = prompt
  const fixed = prompt.fixedTokens(recorder.begun ? message : null)
  const next = { message, view, pruned: leftOut(message).pruned, fixed }
  const capacity = await window.ensureCapacity(step, next)
  if (signal.aborted) return ABORTED_STEP
  if (capacity.type === 'failed') return { type: 'end', outcome: capacity }
  prompt.apply(capacity)
  // A summary may have spent the rest.
  const now = ledger.reached()
  if (now !== null) return endByBudget(now)
  return await blockedByHook(run, step, hookRunner)
}

/** The end of a run whose hook forbids its next step, or the run as a whole; null when none does. */
async function blockedByHook(run: RunState, step: number, hooks: HookRunner): Promise<NextStep | null> {
  const { sessionId, runId, agent, model, signal } = run
  const facts = { sessionId, runId, agent: agent.id, model: { ...model } }
  for (const event of ['turn.start', 'step.start'] as const) {
    if (!hooks.has(event) || (event === 'turn.start' && step > 1)) continue
    const { blocked } = await hooks.decide(event, { ...facts, step }, signal)
    if (signal.aborted) return ABORTED_STEP
    if (blocked !== null)
      return { type: 'end', outcome: { type: 'failed', error: { code: 'HOOK_DENIED', message: blocked } } }
  }
  return null
}
