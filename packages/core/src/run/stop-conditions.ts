import type { FinishReason } from '../domain/message.ts'
import type { Agent } from './agent.ts'
import type { StepEnd } from './model-step.ts'
import type { RunEnd } from './run-types.ts'

const KNOWN: ReadonlySet<string> = new Set<FinishReason>([
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'error',
  'other',
])

/** Reasons that end a run although tools were called. Which other one a provider gives for calls differs. */
const CUT_OFF: ReadonlySet<string> = new Set<FinishReason>(['length', 'content-filter', 'error'])

/** How a run ends after this step, or null when the model waits for the results of our tools or has only paused. */
export function naturalEnd({ finishReason, calls, paused }: StepEnd, agent: Agent): RunEnd | null {
  const final = calls.some(({ name }) => agent.tools.some((tool) => tool.id === name && tool.final))
  if (paused && !final) return null
  if (calls.length > 0 && !final && !CUT_OFF.has(finishReason)) return null
  return { finishReason: final ? 'stop' : toFinishReason(finishReason) }
}

function toFinishReason(reason: string): FinishReason {
  return KNOWN.has(reason) ? (reason as FinishReason) : 'other'
}
