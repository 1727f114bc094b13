import type { FinishReason, Role } from '../message/message.ts'
import type { ModelRef } from '../model/model.ts'
import type { MessageUsage, TokenCounts } from '../model/usage.ts'

/** Messages of a page, by default and at most. */
const PAGE_MESSAGES = 20
/** Characters of all JSON on a page. */
const PAGE_CHARACTERS = 400_000

/** Bounds of one answer about a session; what is beyond them is counted in the answer. */
export const INSPECT_LIMITS = {
  messages: PAGE_MESSAGES,
  /** Characters of a message's text. */
  text: 200,
  /** Steps of a message, and calls of all its steps. */
  steps: 200,
  calls: 1_000,
  /** Parts of a row, and characters of one part's JSON. */
  parts: 200,
  partCharacters: 4_000,
  pageCharacters: PAGE_CHARACTERS,
  /** Tools of a catalogue. */
  tools: 2_000,
} as const

/** How it was decided whether a call may be made. */
export type InspectedDecision = {
  /** Null while nobody has decided. */
  approved: boolean | null
  /** By a rule or a mode, and by no person. */
  automatic: boolean
  /** The rule or mode, such as `session: edit src/*`, or why it was denied; null without any. */
  reason: string | null
}

export type InspectedCall = {
  toolCallId: string
  tool: string
  /** The state of its AI SDK part, such as `output-available`. */
  state: string
  /** Milliseconds from its complete input to its output. */
  durationMs: number | null
  /** Null for a call that needed no permission. */
  decision: InspectedDecision | null
}

/** One model call of a reply, and the tool calls that it asked for. */
export type InspectedStep = {
  /** From 1. */
  no: number
  tokens: TokenCounts | null
  /** True when the provider left a count out. */
  unknown: boolean
  /** Null for a model without prices. */
  costUsd: number | null
  /** Milliseconds of the model call. */
  durationMs: number | null
  finishReason: string | null
  calls: InspectedCall[]
}

/** A message on the timeline of steps. */
export type InspectedMessage = {
  id: string
  role: Role
  createdAt: number
  /** The beginning of its text. */
  text: string
  hidden: boolean
  runId: string | null
  model: ModelRef | null
  finishReason: FinishReason | null
  usage: MessageUsage | null
  costUsd: number | null
  durationMs: number | null
  systemPromptDigest: string | null
  steps: InspectedStep[]
  /** Steps and calls beyond the bounds. */
  stepsLeftOut: number
  callsLeftOut: number
}

/** A JSON text, cut when it is long: `characters` is its whole length. */
export type InspectedJson = { json: string; characters: number }

export type InspectedPart = InspectedJson & {
  id: string
  index: number
  type: string
  prunedAt: number | null
}

/** A row of `chat_messages` with its rows of `chat_parts`. */
export type InspectedRow = {
  id: string
  seq: number | null
  role: Role
  metadata: InspectedJson
  hiddenAt: number | null
  hiddenBy: string | null
  queuedAt: number | null
  createdAt: number
  updatedAt: number
  parts: InspectedPart[]
  partsLeftOut: number
}

/** The tools that the system prompt of a reply names, each with the description that it has today; empty where there is none. */
export type InspectedTools = {
  digest: string
  items: { id: string; description: string }[]
  leftOut: number
}
