import type { ChatMessage, ChatPart } from '../domain/message.ts'
import { isToolPart } from '../domain/message.ts'

/** Characters of a token, by family of model: common figures for English prose and code. */
const CHARACTERS_PER_TOKEN: Record<string, number> = { openai: 4, anthropic: 3.5, google: 4, demo: 4 }
const OTHER_FAMILIES = 3.8

/** Tokens that a message costs beside its content, and that an image or document costs. */
const MESSAGE_TOKENS = 4
const FILE_TOKENS = 1_000

/** An estimate in tokens of what no provider has counted yet; `scale` is the session's own calibration. */
export function estimateTokens(messages: readonly ChatMessage[], providerId: string, scale = 1): number {
  const perToken = CHARACTERS_PER_TOKEN[providerId] ?? OTHER_FAMILIES
  const tokens = messages.map(
    (message) => MESSAGE_TOKENS + message.parts.reduce((sum, part) => sum + partTokens(part, perToken), 0),
  )
  return Math.round(scale * tokens.reduce((sum, count) => sum + count, 0))
}

/** Estimated tokens of counted replies from which a session's own scale is taken, and how far it may go. */
const ENOUGH_TOKENS = 50
const SCALE = { min: 0.5, max: 2 }

/** How many tokens the session's replies were counted as for each one estimated; 1 while too few have been. */
export function calibrate(messages: readonly ChatMessage[], providerId: string): number {
  const perToken = CHARACTERS_PER_TOKEN[providerId] ?? OTHER_FAMILIES
  const known = messages.filter(({ metadata }) => metadata?.usage !== undefined && !metadata.usage.unknown)
  const counted = known.reduce((sum, { metadata }) => sum + (metadata?.usage?.output ?? 0), 0)
  const estimated = known.reduce((sum, { parts }) => sum + writtenTokens(parts, perToken), 0)
  if (estimated < ENOUGH_TOKENS) return 1
  return Math.min(SCALE.max, Math.max(SCALE.min, counted / estimated))
}

/** What the model itself wrote of a reply: its text and its arguments. */
function writtenTokens(parts: readonly ChatPart[], perToken: number): number {
  return parts.reduce((sum, part) => {
    if (isToolPart(part)) return sum + jsonLength([part.input]) / perToken
    return part.type === 'text' ? sum + part.text.length / perToken : sum
  }, 0)
}

/** Tokens of a bare text, such as a system prompt. */
export function estimateTextTokens(text: string, providerId: string, scale = 1): number {
  return Math.round((scale * text.length) / (CHARACTERS_PER_TOKEN[providerId] ?? OTHER_FAMILIES))
}

function partTokens(part: ChatPart, perToken: number): number {
  if (isToolPart(part)) return jsonLength([part.input, part.output, part.errorText]) / perToken
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length / perToken
    case 'file':
      return FILE_TOKENS
    case 'steering-message':
      return part.parts.reduce((sum, inner) => sum + partTokens(inner, perToken), 0)
    default:
      return 0
  }
}

function jsonLength(values: unknown[]): number {
  return values.reduce<number>(
    (sum, value) => sum + (value === undefined ? 0 : JSON.stringify(value).length),
    0,
  )
}
