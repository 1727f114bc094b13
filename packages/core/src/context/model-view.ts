import {
  type ChatMessage,
  type ChatPart,
  isToolPart,
  type StoredMessage,
  type StoredPart,
} from '../domain/message.ts'
import { prunedOutput, sparedCharacters } from './pruned-output.ts'

/** A conversation as the model sees it, and what that view depends on. */
export type ModelView = {
  messages: readonly ChatMessage[]
  /** The compaction whose summary stands at its beginning. */
  compactionId: string | null
  /** Characters of pruned outputs that are left out of it. */
  pruned: number
}

/**
 * Visible messages as the model sees them: a summary of what came before first, in the user's place and marked as such,
 * then everything else in order, pruned outputs as stubs.
 */
export function toModelView(visible: readonly StoredMessage[]): ModelView {
  const summaries = visible.filter(isSummary)
  const others = visible.filter((message) => !isSummary(message))
  return {
    messages: [...summaries, ...others].map(asSeen),
    compactionId: summaries.at(-1)?.metadata.compactionId ?? null,
    pruned: prunedCharacters(visible),
  }
}

/** One message as the model sees it. */
export function asSeen(stored: StoredMessage): ChatMessage {
  const { id, role, metadata, parts } = stored
  if (isSummary(stored)) return toEnvelope(stored)
  return { id, role, metadata, parts: parts.map(toSeenPart) }
}

/** Characters that the stubs of pruned outputs spare in these messages. */
export function prunedCharacters(messages: readonly StoredMessage[]): number {
  const parts = messages.flatMap((message) => message.parts)
  return parts.reduce((sum, { data, prunedAt }) => {
    const output = prunedAt === null ? undefined : completedOutput(data)
    return output === undefined ? sum : sum + sparedCharacters(output)
  }, 0)
}

/** A message that is not stored yet as the model sees it, with the outputs of these calls as stubs. */
export function withStubs(message: ChatMessage, toolCallIds: ReadonlySet<string>): ChatMessage {
  if (toolCallIds.size === 0) return message
  const parts = message.parts.map((part) =>
    isToolPart(part) && toolCallIds.has(part.toolCallId) ? asStub(part) : part,
  )
  return { ...message, parts }
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

/** What a completed call of one of our tools put out; undefined for every other part: a provider wants its own back. */
export function completedOutput(part: ChatPart): unknown {
  const own = isToolPart(part) && part.state === 'output-available' && part.providerExecuted !== true
  return own ? part.output : undefined
}

function toEnvelope({ id, metadata, parts }: StoredMessage): ChatMessage {
  const summary = parts.map(({ data }) => summaryText(data)).find((text) => text !== null) ?? ''
  const text = `<summary-of-earlier-conversation>\n${summary}\n</summary-of-earlier-conversation>`
  return { id, role: 'user', metadata, parts: [{ type: 'text', text }] }
}

function toSeenPart({ data, prunedAt }: StoredPart): ChatPart {
  return prunedAt === null ? data : asStub(data)
}

function asStub(part: ChatPart): ChatPart {
  const output = completedOutput(part)
  // Only the output changes, which every state of a completed call has.
  return output === undefined ? part : ({ ...part, output: prunedOutput(output) } as ChatPart)
}
