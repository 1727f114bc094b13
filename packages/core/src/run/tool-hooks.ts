import type { JsonObject } from '../domain/json/json.ts'
import type { HookRunner } from '../hook/hook-runner.ts'
import type { WatchVerdict } from '../permission/watchdog.ts'
import type { CallOutcome, ValidCall } from '../tool/execute-call.ts'
import type { RunState } from './run-state.ts'

/** Characters of a result that a hook gets. */
const OUTPUT_CHARACTERS = 64_000

/** What the hooks of a call ask for, which can only tighten; null without an objection. */
export async function askHooks(
  run: RunState,
  call: ValidCall,
  hooks: HookRunner,
): Promise<WatchVerdict | null> {
  const { blocked, asks } = await hooks.decide('tool.before', factsOf(run, call), run.signal)
  if (blocked !== null) return { action: 'deny', reason: blocked }
  return asks === null ? null : { action: 'ask', reason: asks }
}

/** Reports a call that was made. */
export function reportCall(run: RunState, call: ValidCall, outcome: CallOutcome, hooks: HookRunner): void {
  if (!hooks.has('tool.after')) return
  const text = outcome.type === 'output' ? JSON.stringify(outcome.output) : outcome.message
  const output = { type: outcome.type, text: text.slice(0, OUTPUT_CHARACTERS) }
  hooks.report('tool.after', { ...factsOf(run, call), output })
}

function factsOf({ sessionId, runId, agent }: RunState, { tool, toolCallId, args }: ValidCall) {
  // Arguments come from the model as JSON.
  return { sessionId, runId, agent: agent.id, toolCallId, tool: tool.id, args: args as JsonObject }
}
