import type { FinishReason } from '../domain/message/message.ts'
import type { Agent } from './agent.ts'
import type { StepEnd } from './call/answer-chunks.ts'
import type { RunEnd } from './run-outcome.ts'

/** Reasons that a provider gives for the end of a completed step. */
type ProviderReason = Extract<FinishReason, 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other'>

const KNOWN: ReadonlySet<string> = new Set<ProviderReason>([
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'other',
])

/** Reasons that end a run although tools were called. Providers differ in the reason that they give for calls. */
const CUT_OFF: ReadonlySet<string> = new Set<FinishReason>(['length', 'content-filter'])

/** Reasons of an answer that is not whole. */
const BROKEN_OFF: ReadonlySet<string> = new Set([...CUT_OFF, 'error', 'interrupted'])

/**
 * Whether the calls of this step may be executed: not those of an answer that broke off. A reason that is not known is no
 * reason against calls that are whole.
 */
export function mayExecute({ finishReason }: Pick<StepEnd, 'finishReason'>): boolean {
  return !BROKEN_OFF.has(finishReason)
}

/** How a run ends after this step, or null when the model waits for the results of our tools or has only paused. */
export function naturalEnd(
  { finishReason, calls, paused }: Pick<StepEnd, 'finishReason' | 'calls' | 'paused'>,
  agent: Agent,
): RunEnd | null {
  const final = calls.some(({ name }) => agent.tools.some((tool) => tool.id === name && tool.final))
  if (paused && !final) return null
  if (calls.length > 0 && !final && !CUT_OFF.has(finishReason)) return null
  return { type: 'finished', finishReason: final ? 'stop' : toFinishReason(finishReason) }
}

function toFinishReason(reason: string): ProviderReason {
  return KNOWN.has(reason) ? (reason as ProviderReason) : 'other'
}
