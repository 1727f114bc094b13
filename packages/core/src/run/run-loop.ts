import type { ChatChunk, ChatMessage } from '../domain/message.ts'
import { digestOf } from '../prompt/digest.ts'
import { toAiTools } from '../tool/ai-tools.ts'
import { afterStep } from './after-step.ts'
import { NO_REPETITION } from './doom-loop.ts'
import { createPrompt, type Prompt } from './prompt.ts'
import { CONTINUE_NOTE, type Reminder } from './reminder.ts'
import type { NextRequest, Run, RunDeps, RunEnd } from './run-types.ts'
import { stepRecord } from './step-record.ts'
import { type StepOutcome, startChunk, stepWithRetries } from './step-with-retries.ts'

/**
 * The loop: from a message on disk to a finished reply, one step at a time. It tells the recorder everything it
 * streams, commits each step as a whole, and answers how the run ended. Claiming the session and settling it are its
 * caller's.
 */
export async function runLoop(run: Run, deps: RunDeps): Promise<RunEnd> {
  const prompt = createPrompt(run, toAiTools(run.agent.tools, deps.toolContext), deps.logger)
  let reminders: Reminder[] = run.continues ? [CONTINUE_NOTE] : []
  let repetition = NO_REPETITION

  for (let step = 1; ; step++) {
    if (run.signal.aborted) return { finishReason: 'aborted' }
    if (step > 1) await deps.betweenSteps()
    const room = await deps.room.beforeStep(step, nextRequest(prompt, deps.recorder.message))
    if (run.signal.aborted) return { finishReason: 'aborted' }
    if (room.type === 'failed') return { finishReason: 'error', error: room.error }
    prompt.take(room)

    const outcome = await callModel(run, prompt, reminders, deps)
    if (outcome.type === 'aborted') return { finishReason: 'aborted' }
    await commitStep(run, prompt, outcome, deps)

    const next = afterStep(run.agent, step, repetition, outcome)
    if (next.type === 'end') return next.end
    reminders = next.reminders
    repetition = next.repetition
  }
}

/**
 * One step. When the provider's package fails to write the request, it is tried once more without what only that package
 * can write; when the provider finds the prompt too long, once more after room has been made.
 */
async function callModel(
  run: Run,
  prompt: Prompt,
  reminders: Reminder[],
  deps: RunDeps,
): Promise<StepOutcome> {
  const { recorder, room, condensing } = deps
  async function ask(): Promise<StepOutcome> {
    const request = await prompt.request(recorder.begun ? recorder.message : null, reminders)
    condensing.used(prompt.asked.condensed)
    return await stepWithRetries(run, request, deps)
  }

  let outcome = await ask()
  if (outcome.type === 'failed' && outcome.unwritable) {
    prompt.simplify()
    outcome = await ask()
  }
  if (outcome.type !== 'failed' || outcome.shown || outcome.failure.kind !== 'context-overflow')
    return outcome
  const made = await room.afterOverflow()
  if (run.signal.aborted) return { type: 'aborted' }
  if (made.type === 'failed')
    return { ...outcome, failure: { ...outcome.failure, message: made.error.message } }
  if (made.type === 'unchanged') return outcome
  prompt.take(made)
  return await ask()
}

function nextRequest({ view, leftOut }: Prompt, message: ChatMessage): NextRequest {
  return { message, view, pruned: leftOut(message).pruned }
}

/** Everything of a step in one transaction, unless its provider never came to an end. */
async function commitStep(
  run: Run,
  prompt: Prompt,
  { end }: Exclude<StepOutcome, { type: 'aborted' }>,
  { recorder, commitStep }: RunDeps,
): Promise<void> {
  if (end === null) return
  const systemPrompt = { body: prompt.instructions, digest: await digestOf(prompt.instructions) }
  const { chunks, record } = stepRecord(run, prompt, recorder, end, systemPrompt)
  const opening: ChatChunk[] = recorder.begun ? [] : [startChunk(run)]
  await commitStep([...opening, ...chunks], record)
}
