import { calibrate, estimateAtPace, uncountedTokens } from '../context/estimate-tokens.ts'
import { createPace, type Pace } from '../domain/async/pace.ts'
import type { ChatChunk, ChatMessage, MessageMetadata, MetadataPatch } from '../domain/message/message.ts'
import type { ModelInfo } from '../domain/model/model.ts'
import { modelCost } from '../domain/model/model-cost.ts'
import {
  addTokens,
  type MessageUsage,
  NO_TOKENS,
  type StepFigures,
  type TokenCounts,
  totalTokens,
} from '../domain/model/usage.ts'
import type { CountedWindow } from '../domain/window/counted-window.ts'
import type { PromptLeftOut } from '../domain/window/prompt-left-out.ts'
import { countTokens, countWindow } from '../model/usage.ts'
import type { Clock, SystemPromptWrite } from '../ports/index.ts'
import type { StepEnd } from './call/answer-chunks.ts'
import type { Prompt } from './prompt.ts'
import type { Recorder } from './recorder.ts'
import type { RunState } from './run-state.ts'

/** Newest messages by which a session's estimates are calibrated. */
const CALIBRATED_BY = 20

type StepRecord = {
  usage: TokenCounts | null
  contextTokens: number | null
  contextEstimated: boolean
  systemPrompt: SystemPromptWrite
}

/** The record of a completed step: the chunks that add it to its message, and the rows committed with them. */
export async function stepRecord(
  { model: { providerId } }: RunState,
  prompt: Prompt,
  { message, timing }: Pick<Recorder, 'message' | 'timing'>,
  end: StepEnd,
  systemPrompt: SystemPromptWrite,
  clock: Pick<Clock, 'elapsed' | 'turn'>,
): Promise<{ chunks: ChatChunk[]; record: StepRecord }> {
  const { unknown, ...counts } = countTokens(end.usage)
  const before = message.metadata?.usage
  const usage: MessageUsage = {
    ...addTokens(before ?? NO_TOKENS, counts),
    steps: (before?.steps ?? 0) + 1,
    ...((unknown || before?.unknown) && { unknown: true }),
  }
  const counted = withMetadata(message, { usage, window: { tokens: 0 } })
  const newest = [...prompt.view.messages.slice(-CALIBRATED_BY), counted]
  const scale = Math.round(calibrate(newest, providerId) * 1_000) / 1_000
  const tokens = unknown
    ? await estimateWindow(prompt, counted, { providerId, scale }, createPace(clock))
    : countWindow(end.usage)
  const { pruned, ownForms, fixed } = prompt.asked
  const figures = { estimated: unknown === true, pruned, condensed: ownForms, scale }
  const window = { ...describeWindow(message, { tokens, ...figures }), fixed }
  const omitted = newlyOmitted(prompt)
  const messageMetadata: MetadataPatch = {
    usage,
    systemPromptDigest: systemPrompt.digest,
    ...timing,
    stepFigures: { [usage.steps]: figuresOf(end, counts, unknown) },
    ...(prompt.cut.length > 0 && { instructionsCut: [...prompt.cut] }),
    ...(omitted !== null && { promptLeftOut: omitted }),
    window: {
      ...window,
      ...(prompt.view.compactionId !== null && { compactionId: prompt.view.compactionId }),
    },
  }
  return {
    chunks: [{ type: 'message-metadata', messageMetadata }],
    record: { usage: counts, contextTokens: tokens, contextEstimated: unknown === true, systemPrompt },
  }
}

/** What the prompt leaves out, unless the last reply or summary that names such things names it all. */
function newlyOmitted({ omitted, view }: Prompt): PromptLeftOut | null {
  if (omitted === null) return null
  const last = view.messages.findLast(({ metadata }) => metadata?.promptLeftOut !== undefined)
  const named = last?.metadata?.promptLeftOut
  return named !== undefined && namesAll(named, omitted) ? null : omitted
}

function namesAll(named: PromptLeftOut, omitted: PromptLeftOut): boolean {
  const lists = (['tools', 'skills', 'instructions'] as const).every((key) =>
    omitted[key].every((name) => named[key].includes(name)),
  )
  return lists && (named.personal || !omitted.personal) && (named.memories || !omitted.memories)
}

function figuresOf({ finishReason, durationMs }: StepEnd, tokens: TokenCounts, unknown?: true): StepFigures {
  return { tokens, durationMs, finishReason, ...(unknown && { unknown }) }
}

/** What a step costs: where the provider counted nothing, what the window is estimated to hold. */
export function costOfStep(
  { usage, contextTokens, contextEstimated }: StepRecord,
  { prices }: Pick<ModelInfo, 'prices'>,
): { tokens: number; costUsd: number } {
  if (usage === null) return { tokens: 0, costUsd: 0 }
  const estimate = contextEstimated ? (contextTokens ?? 0) : 0
  const counted = totalTokens(usage)
  const missing = Math.max(0, estimate - counted)
  const costUsd = modelCost({ ...usage, input: usage.input + missing }, prices) ?? 0
  return { tokens: counted + missing, costUsd }
}

const PLAIN = { estimated: false, pruned: 0, condensed: 0, scale: 1 }

/** The window without default values, unless an earlier step has set them: patches are merged key by key. */
function describeWindow(
  { metadata }: ChatMessage,
  { tokens, ...figures }: { tokens: number } & typeof PLAIN,
): CountedWindow {
  const earlier = metadata?.window ?? {}
  const keys = Object.keys(PLAIN) as (keyof typeof PLAIN)[]
  const stored = keys.filter((key) => figures[key] !== PLAIN[key] || key in earlier)
  return { tokens, ...Object.fromEntries(stored.map((key) => [key, figures[key]])) }
}

/** The window's estimate when the provider counted nothing; without the outputs of the step's tools. */
async function estimateWindow(
  { view, asAsked, asked }: Prompt,
  counted: ChatMessage,
  { providerId, scale }: { providerId: string; scale: number },
  pace: Pace,
): Promise<number> {
  return (
    asked.fixed +
    (await estimateAtPace([...view.messages, asAsked(counted)], { providerId, scale }, pace)) -
    uncountedTokens(counted, providerId, scale)
  )
}

function withMetadata(message: ChatMessage, patch: Partial<MessageMetadata>): ChatMessage {
  return { ...message, metadata: { schemaVersion: 1, createdAt: 0, ...message.metadata, ...patch } }
}
