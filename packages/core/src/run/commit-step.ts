import type { ChatChunk } from '../domain/message/message.ts'
import type { TokenCounts } from '../domain/model/usage.ts'
import type { Session } from '../domain/session/session.ts'
import type { RecordWrite } from '../ports/index.ts'
import { promptRow } from '../prompt/digest.ts'
import { type StepOutcome, startChunk } from './ask-model.ts'
import type { Conversation, RunState, TurnPorts } from './run-state.ts'
import { costOfStep, stepRecord } from './step-record.ts'
import { naturalEnd } from './stop-conditions.ts'

/**
 * Stores parts, usage and system prompt of a step in one transaction. Null when its provider never ended it, and when it ends the
 * run, whose last write stores it then.
 */
export async function commitStep(
  run: RunState,
  { prompt, info, window }: Conversation,
  { type, end }: Exclude<StepOutcome, { type: 'aborted' }>,
  { store, clock, hookRunner }: Pick<TurnPorts, 'store' | 'clock' | 'hookRunner'>,
): Promise<Session | null> {
  if (end === null) return null
  const { model, recorder, ledger } = run
  const systemPrompt = await promptRow(prompt.instructions, prompt.shared)
  const { chunks, record } = await stepRecord(run, prompt, recorder, end, systemPrompt, clock)
  if (record.usage !== null && !record.contextEstimated)
    window.noteCount(sentTokens(record.usage), prompt.view, prompt.asked.fixed)
  const cost = costOfStep(record, info)
  ledger.spend(cost)
  const opening: ChatChunk[] = recorder.begun ? [] : [startChunk(run)]
  const ending = { ...record, model }
  const isLast = end.calls.length === 0 && (type === 'failed' || naturalEnd(end, run.agent) !== null)
  const save = (write: RecordWrite) => ledger.save((spent) => store.runs.record({ ...write, spent }))
  const session =
    isLast && recorder.endLastStep([...opening, ...chunks], ending, save)
      ? null
      : await recorder.commit([...opening, ...chunks], (write) =>
          ledger.save((spent) => store.runs.commitStep({ ...write, ...ending, spent })),
        )
  const { sessionId, runId, messageId } = run
  const facts = { sessionId, runId, messageId, model: { ...model } }
  hookRunner.report('step.end', { ...facts, finishReason: end.finishReason, toolCalls: end.calls.length })
  hookRunner.report('cost', { ...facts, ...cost })
  return session
}

function sentTokens({ input, cacheRead, cacheWrite }: TokenCounts): number {
  return input + cacheRead + cacheWrite
}
