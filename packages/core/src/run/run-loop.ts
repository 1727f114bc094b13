import type { ModelMessage, ToolSet } from 'ai'
import { toModelMessages } from '../context/to-model-messages.ts'
import type { ChatChunk, ChatMessage } from '../domain/message.ts'
import { assemblePrompt } from '../prompt/assemble.ts'
import { digestOf } from '../prompt/digest.ts'
import { toAiTools } from '../tool/ai-tools.ts'
import { afterStep } from './after-step.ts'
import { NO_REPETITION } from './doom-loop.ts'
import type { StepRequest } from './model-step.ts'
import { CONTINUE_NOTE, type Reminder, toReminder } from './reminder.ts'
import type { Run, RunDeps, RunEnd } from './run-types.ts'
import { stepRecord } from './step-record.ts'
import { type StepOutcome, startChunk, stepWithRetries } from './step-with-retries.ts'

/**
 * The loop: from a message on disk to a finished reply, one step at a time. It tells the recorder everything it
 * streams, commits each step as a whole, and answers how the run ended. Claiming the session and settling it are its
 * caller's.
 */
export async function runLoop(run: Run, deps: RunDeps): Promise<RunEnd> {
  const tools = toAiTools(run.agent.tools, deps.toolContext)
  const history = await lower(run, run.history, tools)
  let reminders: Reminder[] = run.continues ? [CONTINUE_NOTE] : []
  let repetition = NO_REPETITION

  for (let step = 1; ; step++) {
    if (run.signal.aborted) return { finishReason: 'aborted' }
    if (step > 1) await steer(deps)
    const reply = deps.recorder.begun ? await lower(run, [deps.recorder.message], tools) : []
    const messages = [...history, ...reply, ...reminders.map(toReminder)]
    const request: StepRequest = { open: run.open, instructions: systemPrompt(run), messages, tools }

    const outcome = await stepWithRetries(run, request, deps)
    if (outcome.type === 'aborted') return { finishReason: 'aborted' }
    await commitStep(run, request, outcome, deps)

    const next = afterStep(run.agent, step, repetition, outcome)
    if (next.type === 'end') return next.end
    reminders = next.reminders
    repetition = next.repetition
  }
}

function lower(
  { model, open }: Run,
  messages: readonly ChatMessage[],
  tools: ToolSet,
): Promise<ModelMessage[]> {
  return toModelMessages(messages, { model, info: open.info, tools })
}

function systemPrompt({ agent, environment }: Run): string {
  return assemblePrompt({ manifest: agent.prompt, environment, tools: agent.tools })
}

/** Lets messages in that were sent to steer the run. */
async function steer({ recorder, takeSteering }: RunDeps): Promise<void> {
  for (const { id, parts } of await takeSteering()) {
    const words = parts.filter((part) => part.type === 'text' || part.type === 'file')
    recorder.write({ type: 'steering-message', id, parts: words })
  }
}

/** Everything of a step in one transaction, unless its provider never came to an end. */
async function commitStep(
  run: Run,
  { instructions }: StepRequest,
  { end }: Exclude<StepOutcome, { type: 'aborted' }>,
  { recorder, commitStep }: RunDeps,
): Promise<void> {
  if (end === null) return
  const prompt = { body: instructions, digest: await digestOf(instructions) }
  const { chunks, record } = stepRecord(run, recorder, end, prompt)
  const opening: ChatChunk[] = recorder.begun ? [] : [startChunk(run)]
  await commitStep([...opening, ...chunks], record)
}
