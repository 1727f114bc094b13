import type { CondensedOutputs } from '../domain/message/condensed-output.ts'
import {
  type ChatMessage,
  type ChatPart,
  isToolPart,
  type StoredMessage,
  toChatMessage,
} from '../domain/message/message.ts'
import { messageCharacters } from './estimate-tokens.ts'
import { carriedSkills } from './loaded-skills.ts'
import { modelOutput, type OutputVisibility, savedCharacters } from './model-output.ts'
import { outputText } from './output-text.ts'

/** A conversation as the model sees it, and what that view depends on. */
export type ModelView = {
  messages: readonly ChatMessage[]
  /** The compaction whose summary is at its beginning. */
  compactionId: string | null
} & LeftOut

/** Characters of pruned and condensed outputs and of messages that the model does not see, and how many are condensed. */
export type LeftOut = { pruned: number; condensed: number }

/**
 * Visible messages as the model sees them: a summary of what came before first, in the user's place and marked as such,
 * then everything else in order but what is left out, condensed outputs by their shorter form, pruned ones as stubs. `add` is
 * called with each message, in order.
 */
export function buildModelView(): { add(message: StoredMessage): void; view(): ModelView } {
  const summaries: ChatMessage[] = []
  const others: ChatMessage[] = []
  let compactionId: string | null = null
  let out = NOTHING_LEFT_OUT
  return {
    add(message) {
      const ofSummary = isSummary(message)
      if (ofSummary) compactionId = message.metadata.compactionId ?? null
      if (!isLeftOut(message)) (ofSummary ? summaries : others).push(modelViewOf(message))
      out = sumOf([out, ...leftOutOfMessage(message)])
    },
    view: () => ({ messages: [...summaries, ...others], compactionId, ...out }),
  }
}

/** Messages as the model sees them, without those that are left out. */
export function modelViews(messages: readonly StoredMessage[]): ChatMessage[] {
  return messages.filter((message) => !isLeftOut(message)).map(modelViewOf)
}

/** True for a message that a person has left out of what the model sees; a call is in one message with its result. */
export function isLeftOut({ metadata }: Pick<StoredMessage, 'metadata'>): boolean {
  return metadata.leftOut === true
}

/** One message as the model sees it when it sees it. */
export function modelViewOf(stored: StoredMessage): ChatMessage {
  const { id, role, metadata, parts } = stored
  if (isSummary(stored)) return toEnvelope(stored)
  const seen = parts.map(({ data, prunedAt }) =>
    modelPart(data, { condensed: condensedText(data, metadata.condensed), pruned: prunedAt !== null }),
  )
  return { id, role, metadata, parts: seen }
}

/** What the model does not see of these messages. */
export function leftOut(messages: readonly StoredMessage[]): LeftOut {
  return sumOf(messages.flatMap(leftOutOfMessage))
}

function leftOutOfMessage(message: StoredMessage): LeftOut[] {
  const { parts, metadata } = message
  if (isLeftOut(message)) return [{ pruned: messageCharacters(toChatMessage(message)), condensed: 0 }]
  return parts.map(({ data, prunedAt }) => leftOutOf(data, metadata.condensed, prunedAt !== null))
}

/** A reply that is being written as its model sees it: `condensed` where it can be, the calls `stubs` as stubs. */
export function modelViewOfReply(
  reply: ChatMessage,
  condensed: CondensedOutputs | undefined,
  stubs: ReadonlySet<string>,
): ChatMessage {
  if (stubs.size === 0 && condensed === undefined) return reply
  const parts = reply.parts.map((part) =>
    modelPart(part, { condensed: condensedText(part, condensed), pruned: isIn(part, stubs) }),
  )
  return { ...reply, parts }
}

/** What its model does not see of such a reply. */
export function leftOutOfReply({ metadata, parts }: ChatMessage, stubs: ReadonlySet<string>): LeftOut {
  return sumOf(parts.map((part) => leftOutOf(part, metadata?.condensed, isIn(part, stubs))))
}

/** The text of a compaction's summary; null for every other part. */
export function summaryText(part: ChatPart): string | null {
  if (part.type !== 'data-compaction') return null
  const { data } = part
  const held = typeof data === 'object' && data !== null && 'summary' in data ? data.summary : null
  return typeof held === 'string' ? held : null
}

export function isSummary({ metadata }: StoredMessage): boolean {
  return metadata.compactionId !== undefined
}

/** What a completed call of one of our tools put out; undefined for every other part: the outputs of a provider are sent back to it unchanged. */
export function completedOutput(part: ChatPart): unknown {
  const own = isToolPart(part) && part.state === 'output-available' && part.providerExecuted !== true
  return own ? part.output : undefined
}

/** The condensed form that the model sees of a call's output; null without one, or when it was made of another output. */
export function condensedText(part: ChatPart, outputs: CondensedOutputs | undefined): string | null {
  const output = completedOutput(part)
  if (outputs === undefined || output === undefined || !isToolPart(part)) return null
  const condensed = Object.hasOwn(outputs, part.toolCallId) ? outputs[part.toolCallId] : undefined
  if (condensed === undefined || condensed.unused === true) return null
  return condensed.ofCharacters === outputText(output).length ? condensed.text : null
}

function toEnvelope({ id, metadata, parts }: StoredMessage): ChatMessage {
  const summary = parts.map(({ data }) => summaryText(data)).find((text) => text !== null) ?? ''
  const skills = parts.flatMap(({ data }) =>
    data.type === 'data-compaction' ? carriedSkills(data.data) : [],
  )
  const carried = skills.map((skill) => `\n\n${skill.text}`).join('')
  const text = `<summary-of-earlier-conversation>\n${summary}\n</summary-of-earlier-conversation>${carried}`
  return { id, role: 'user', metadata, parts: [{ type: 'text', text }] }
}

function modelPart(part: ChatPart, as: OutputVisibility): ChatPart {
  const output = completedOutput(part)
  if (output === undefined || (as.condensed === null && !as.pruned)) return part
  // Only the output changes, which every state of a completed call has.
  return { ...part, output: modelOutput(output, as) } as ChatPart
}

function leftOutOf(part: ChatPart, outputs: CondensedOutputs | undefined, pruned: boolean): LeftOut {
  const output = completedOutput(part)
  const condensed = condensedText(part, outputs)
  if (output === undefined) return NOTHING_LEFT_OUT
  return {
    pruned: savedCharacters(output, { condensed, pruned }),
    condensed: condensed === null || pruned ? 0 : 1,
  }
}

export const NOTHING_LEFT_OUT: LeftOut = { pruned: 0, condensed: 0 }

function sumOf(parts: readonly LeftOut[]): LeftOut {
  return parts.reduce(
    (sum, { pruned, condensed }) => ({ pruned: sum.pruned + pruned, condensed: sum.condensed + condensed }),
    NOTHING_LEFT_OUT,
  )
}

function isIn(part: ChatPart, calls: ReadonlySet<string>): boolean {
  return isToolPart(part) && calls.has(part.toolCallId)
}
