import type { TaskEnd } from '../../domain/ask.ts'
import { failed, SUBAGENT_FAILED, taskEndOf } from '../../domain/task-end.ts'
import { finishReasonOf, type RunEnd } from '../run-outcome.ts'
import type { RunState } from '../run-state.ts'

/** How a run has ended, for the run that started it as a subagent. */
export function endOf({ recorder }: Pick<RunState, 'recorder'>, settled: RunEnd): TaskEnd {
  if (settled.type === 'failed') return failed(`${SUBAGENT_FAILED}${settled.error.message}`)
  const { parts, metadata } = recorder.message
  return taskEndOf({ metadata: { ...metadata, finishReason: finishReasonOf(settled) }, parts })
}
