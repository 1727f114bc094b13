import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { DemoPlan } from './demo-plan.ts'
import { type DemoInput, demoUsage } from './demo-usage.ts'

/** A stream part, and the milliseconds that pass before it comes. */
export type TimedPart = { part: LanguageModelV4StreamPart; afterMs: number }

/** Milliseconds before each piece, and words in a piece. */
const PACES = {
  normal: { ms: 15, words: 1 },
  fast: { ms: 15, words: 8 },
  slow: { ms: 150, words: 1 },
} as const

export type DemoCall = {
  input: DemoInput
  /** Characters that the answer may have. */
  maxCharacters: number
  /** Goes into the ids of parts and tool calls; no other call has it. */
  id: string
}

/** Turns a planned answer into the parts of a stream, one by one. */
export function* demoParts(plan: DemoPlan & { type: 'answer' }, call: DemoCall): Generator<TimedPart> {
  const pace = PACES[plan.pace]
  const reasoning = plan.reasoning.slice(0, call.maxCharacters)
  const text = plan.text.slice(0, call.maxCharacters - reasoning.length)
  const args = plan.call === null ? '' : JSON.stringify(plan.call.input)
  yield now({ type: 'stream-start', warnings: [] })
  if (reasoning !== '') yield* block('reasoning', `reasoning_${call.id}`, reasoning, pace)
  if (text !== '') yield* block('text', `text_${call.id}`, text, pace)
  if (plan.call !== null) yield* toolCall(plan.call.toolName, `call_${call.id}`, args, pace)
  const cut = reasoning.length + text.length < plan.reasoning.length + plan.text.length
  const usage = demoUsage(call.input, { reasoning: reasoning.length, text: text.length + args.length })
  yield now({ type: 'finish', usage, finishReason: finishReason(plan.call !== null, cut) })
}

type Pace = (typeof PACES)[keyof typeof PACES]

function* block(kind: 'reasoning' | 'text', id: string, text: string, pace: Pace): Generator<TimedPart> {
  yield now({ type: `${kind}-start`, id })
  for (const delta of pieces(text, pace.words)) {
    yield { part: { type: `${kind}-delta`, id, delta }, afterMs: pace.ms }
  }
  yield now({ type: `${kind}-end`, id })
}

function* toolCall(toolName: string, id: string, input: string, pace: Pace): Generator<TimedPart> {
  yield now({ type: 'tool-input-start', id, toolName })
  for (const delta of pieces(input, pace.words)) {
    yield { part: { type: 'tool-input-delta', id, delta }, afterMs: pace.ms }
  }
  yield now({ type: 'tool-input-end', id })
  yield now({ type: 'tool-call', toolCallId: id, toolName, input })
}

function now(part: LanguageModelV4StreamPart): TimedPart {
  return { part, afterMs: 0 }
}

/** The text cut behind every `words` words; nothing is lost between the pieces. */
function pieces(text: string, words: number): string[] {
  return text.match(new RegExp(`(?:\\s*\\S+){1,${words}}(?:\\s+$)?|\\s+$`, 'g')) ?? []
}

function finishReason(called: boolean, cut: boolean): LanguageModelV4FinishReason {
  if (cut) return { unified: 'length', raw: 'length' }
  return called ? { unified: 'tool-calls', raw: 'tool_calls' } : { unified: 'stop', raw: 'stop' }
}
