import { type CallPart, toolNameOf } from '../context/hosted-calls.ts'
import { type ChatChunk, type ChatPart, isToolPart } from '../domain/message.ts'
import type { CallOutcome, ExecuteCall, ValidCall } from '../tool/execute-call.ts'
import type { RunState } from './run-state.ts'

const NOT_MADE = 'The answer was cut off after this call, which was not made.'

/** The calls of the reply's last step that wait for an output of ours, in order. */
export function openCalls({ recorder, agent }: RunState): ValidCall[] {
  return openParts(recorder.message.parts).flatMap((part) => {
    const tool = agent.tools.find(({ id }) => id === toolNameOf(part))
    const args = part.input
    return tool !== undefined && typeof args === 'object' && args !== null
      ? [{ toolCallId: part.toolCallId, tool, args }]
      : []
  })
}

function openParts(parts: readonly ChatPart[]): CallPart[] {
  const step = parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1)
  return step
    .filter(isToolPart)
    .filter(({ state, providerExecuted }) => state === 'input-available' && providerExecuted !== true)
}

/**
 * Executes calls at once and writes each output into the reply as it comes. Over as soon as the run is aborted: what its
 * tools return later is dropped.
 */
export async function runCalls(
  run: RunState,
  calls: readonly ValidCall[],
  execute: ExecuteCall,
): Promise<void> {
  const { signal } = run
  await Promise.all(
    calls.map(async (call) => {
      const outcome = await execute(call, signal)
      if (!signal.aborted) emit(run, toChunk(call, outcome))
    }),
  )
}

/** Ends a step: calls that got no output are errors for the model. */
export function endStep(run: RunState): void {
  for (const { toolCallId } of openParts(run.recorder.message.parts))
    emit(run, { type: 'tool-output-error', toolCallId, errorText: NOT_MADE })
  emit(run, { type: 'finish-step' })
}

function emit({ recorder, condensing }: RunState, chunk: ChatChunk): void {
  recorder.write(chunk)
  condensing.note(chunk)
}

function toChunk({ toolCallId }: ValidCall, outcome: CallOutcome): ChatChunk {
  if (outcome.type === 'output') return { type: 'tool-output-available', toolCallId, output: outcome.output }
  const { message, durationMs } = outcome
  return {
    type: 'tool-output-error',
    toolCallId,
    errorText: message,
    toolMetadata: { duration_ms: durationMs },
  }
}
