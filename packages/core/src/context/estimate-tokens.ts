import { eachAtPace, type Pace } from '../domain/async/pace.ts'
import { type FilePart, fileBytes } from '../domain/files/blob.ts'
import { isTextType } from '../domain/files/media-type.ts'
import { outputFiles } from '../domain/files/output-files.ts'
import { LIMITS } from '../domain/limits.ts'
import type { ChatMessage, ChatPart } from '../domain/message/message.ts'
import { isOwnCall, isToolPart } from '../domain/message/message.ts'
import { soundScale } from '../domain/window/counted-window.ts'
import { resultText } from './output-text.ts'

/** Characters of a token, by family of model: common figures for English prose and code. */
const CHARACTERS_PER_TOKEN: ReadonlyMap<string, number> = new Map([
  ['openai', 4],
  ['anthropic', 3.5],
  ['google', 4],
  ['demo', 4],
])
const OTHER_FAMILIES = 3.8
const USUAL_CHARACTERS = 4

/** Tokens that a message costs beside its content, and that an image or document costs. */
const MESSAGE_TOKENS = 4
const FILE_TOKENS = 1_000

/**
 * An estimate in tokens of what no provider has counted yet; `scale` is the session's own calibration. The estimate of
 * several messages is the sum of those of each.
 */
export function estimateTokens(messages: readonly ChatMessage[], providerId: string, scale = 1): number {
  const perToken = charactersPerToken(providerId)
  const sound = soundScale(scale)
  return messages.reduce((sum, { parts }) => {
    const content = parts.reduce((tokens, part) => tokens + partTokens(part, perToken), 0)
    return sum + Math.round(sound * (MESSAGE_TOKENS + content))
  }, 0)
}

/** The same of many messages, with turns for other work between them. */
export async function estimateAtPace(
  messages: readonly ChatMessage[],
  { providerId, scale }: { providerId: string; scale?: number },
  pace: Pace,
): Promise<number> {
  let tokens = 0
  await eachAtPace(messages, pace, (message) => {
    tokens += estimateTokens([message], providerId, scale)
  })
  return tokens
}

/** Characters that cost as much as a whole message: what is no text, at the characters of a token of most families. */
export function messageCharacters({ parts }: Pick<ChatMessage, 'parts'>): number {
  const tokens = parts.reduce((sum, part) => sum + partTokens(part, USUAL_CHARACTERS), MESSAGE_TOKENS)
  return Math.round(tokens * USUAL_CHARACTERS)
}

/**
 * Tokens of a reply that its last count leaves out: what the calls of its last counted step brought, and everything
 * after that step. All of a reply without a count.
 */
export function uncountedTokens(message: ChatMessage, providerId: string, scale = 1): number {
  if (message.metadata?.window === undefined) return estimateTokens([message], providerId, scale)
  const perToken = charactersPerToken(providerId)
  const counted = message.metadata.usage?.steps ?? 0
  let step = 0
  let tokens = 0
  for (const part of message.parts) {
    if (part.type === 'step-start') step += 1
    else if (step > counted) tokens += partTokens(part, perToken)
    else if (step === counted) tokens += broughtTokens(part, perToken)
  }
  return Math.round(soundScale(scale) * tokens)
}

/** Estimated tokens of counted replies from which a session's own scale is taken. */
const ENOUGH_TOKENS = 50

/** How many tokens the session's replies were counted as for each one estimated; 1 while too few have been. */
export function calibrate(messages: readonly ChatMessage[], providerId: string): number {
  const perToken = charactersPerToken(providerId)
  const known = messages.filter(({ metadata }) => metadata?.usage !== undefined && !metadata.usage.unknown)
  const counted = known.reduce((sum, { metadata }) => sum + (metadata?.usage?.output ?? 0), 0)
  const estimated = known.reduce((sum, { parts }) => sum + writtenTokens(parts, perToken), 0)
  if (estimated < ENOUGH_TOKENS) return 1
  return soundScale(counted / estimated)
}

/** Tokens of one part, unrounded. */
export function estimatePart(part: ChatPart, providerId: string, scale = 1): number {
  return soundScale(scale) * partTokens(part, charactersPerToken(providerId))
}

/** Tokens of a bare text, such as a system prompt. */
export function estimateTextTokens(text: string, providerId: string, scale = 1): number {
  return charactersToTokens(text.length, providerId, scale)
}

export function charactersToTokens(characters: number, providerId: string, scale = 1): number {
  return Math.round((soundScale(scale) * characters) / charactersPerToken(providerId))
}

function charactersPerToken(providerId: string): number {
  return CHARACTERS_PER_TOKEN.get(providerId) ?? OTHER_FAMILIES
}

/** What the model itself wrote of a reply: its text and its arguments. */
function writtenTokens(parts: readonly ChatPart[], perToken: number): number {
  return parts.reduce((sum, part) => {
    if (isToolPart(part)) return sum + jsonLength(part.input) / perToken
    return part.type === 'text' ? sum + part.text.length / perToken : sum
  }, 0)
}

function partTokens(part: ChatPart, perToken: number): number {
  if (isToolPart(part)) return jsonLength(part.input) / perToken + resultTokens(part, perToken)
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length / perToken
    case 'file':
      return fileTokens(part, perToken)
    case 'steering-message':
      return part.parts.reduce((sum, inner) => sum + partTokens(inner, perToken), 0)
    default:
      return 0
  }
}

/** A text file is sent as its text. */
function fileTokens(part: FilePart, perToken: number): number {
  const bytes = isTextType(part.mediaType) ? fileBytes(part) : null
  return bytes === null ? FILE_TOKENS : Math.min(bytes, LIMITS.attachedCharacters) / perToken
}

/** Tokens of what came into a reply after its model had spoken: results of our tools, and words that steered it. */
function broughtTokens(part: ChatPart, perToken: number): number {
  if (part.type === 'steering-message') return partTokens(part, perToken)
  return isToolPart(part) && part.providerExecuted !== true ? resultTokens(part, perToken) : 0
}

function resultTokens(part: Extract<ChatPart, { toolCallId: string }>, perToken: number): number {
  const { output, errorText } = part
  const text = output === undefined ? 0 : resultText(part).length
  const files = isOwnCall(part) ? outputFiles(output).length : 0
  return (text + (errorText?.length ?? 0)) / perToken + files * FILE_TOKENS
}

function jsonLength(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length
}
