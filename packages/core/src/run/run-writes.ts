import { AppError } from '../domain/errors.ts'
import type { ChatChunk } from '../domain/message.ts'
import type { Session } from '../domain/session.ts'
import { announceQueue } from '../history/operation/announce.ts'
import type { RunBeginning, RunLease, RunTrigger } from '../ports/index.ts'
import { digestOf } from '../prompt/digest.ts'
import { type StepOutcome, startChunk } from './ask-model.ts'
import type { Prompt } from './prompt.ts'
import type { RunState, TurnPorts } from './run-state.ts'
import { stepRecord } from './step-record.ts'

type RunWrites = {
  begin(trigger: RunTrigger, lease: RunLease): Promise<RunBeginning | null>
  takeSteering(run: RunState): Promise<void>
  commitStep(
    run: RunState,
    prompt: Prompt,
    answer: Exclude<StepOutcome, { type: 'aborted' }>,
  ): Promise<Session | null>
}

/** The writes at the start of a run and at the two ends of a step. */
export function createRunWrites(ports: TurnPorts): RunWrites {
  const { store, clock, claims, background } = ports

  /** Stores the question and the claim. A stale claim of this process is ended first. */
  async function begin(trigger: RunTrigger, lease: RunLease) {
    try {
      return await store.runs.begin(lease, trigger)
    } catch (error) {
      const busy = error instanceof AppError && error.code === 'SESSION_BUSY'
      if (!busy || !(await claims.endStale(lease.sessionId))) throw error
      return await store.runs.begin(lease, trigger)
    }
  }

  /** Adds queued messages marked `steer` to the reply. */
  async function takeSteering({ sessionId, runId, recorder }: RunState): Promise<void> {
    // What a step wrote and what the next one sends may each be megabytes.
    await clock.turn()
    const queue = await store.queue.list(sessionId)
    if (!queue.some(({ metadata }) => metadata.steer)) return
    await recorder.steer((reply) => store.runs.takeSteering(runId, reply))
    background.start('announce', () => announceQueue(sessionId, ports))
  }

  /** Stores parts, usage and system prompt of a step in one transaction; null when its provider never ended it. */
  async function commitStep(
    run: RunState,
    prompt: Prompt,
    { end }: Exclude<StepOutcome, { type: 'aborted' }>,
  ): Promise<Session | null> {
    if (end === null) return null
    const { model, recorder } = run
    const systemPrompt = { body: prompt.instructions, digest: await digestOf(prompt.instructions) }
    const { chunks, record } = stepRecord(run, prompt, recorder, end, systemPrompt)
    const opening: ChatChunk[] = recorder.begun ? [] : [startChunk(run)]
    return await recorder.commit([...opening, ...chunks], (write) =>
      store.runs.commitStep({ ...write, ...record, model }),
    )
  }

  return { begin, takeSteering, commitStep }
}
