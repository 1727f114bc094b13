import { type ChatMessage, type ChatPart, isToolPart } from '../domain/message.ts'
import type { ContentKind, WindowContent } from '../domain/window-content.ts'
import { estimatePart } from './estimate-tokens.ts'

/**
 * What a window of `used` tokens is made of, when its model sees these messages: estimates at the session's `scale`, cut
 * to `used` where they exceed it. Instructions, which no message holds, are the rest; all kinds add up to `used`.
 */
export function windowContent(
  messages: readonly ChatMessage[],
  used: number,
  providerId: string,
  scale = 1,
): WindowContent {
  const parts = messages.flatMap((message) =>
    message.parts.map((part) => ({
      kind: kindOf(message, part),
      tokens: estimatePart(part, providerId, scale),
    })),
  )
  const estimated = parts.reduce((sum, { tokens }) => sum + tokens, 0)
  const share = estimated > used ? used / estimated : 1
  const of = (kind: ContentKind) =>
    Math.floor(share * parts.reduce((sum, part) => (part.kind === kind ? sum + part.tokens : sum), 0))
  const held = {
    summary: of('summary'),
    prompts: of('prompts'),
    replies: of('replies'),
    reasoning: of('reasoning'),
    tools: of('tools'),
    files: of('files'),
  }
  const known = Object.values(held).reduce((sum, tokens) => sum + tokens, 0)
  return { instructions: used - known, ...held }
}

function kindOf({ role, metadata }: ChatMessage, part: ChatPart): ContentKind {
  if (metadata?.summary === true) return 'summary'
  if (isToolPart(part)) return 'tools'
  if (part.type === 'reasoning') return 'reasoning'
  if (part.type === 'file') return 'files'
  return role === 'user' || part.type === 'steering-message' ? 'prompts' : 'replies'
}
