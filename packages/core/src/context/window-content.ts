import type { Pace } from '../domain/async/pace.ts'
import { type ChatMessage, type ChatPart, isToolPart, type StoredMessage } from '../domain/message/message.ts'
import type { ContentKind, WindowContent } from '../domain/window/window-content.ts'
import { estimatePart } from './estimate-tokens.ts'
import { modelViews } from './model-view.ts'

/**
 * What a window of `used` tokens is made of, when its model sees these messages: estimates at the session's `scale`, cut
 * to `used` where they exceed it. Instructions, which no message holds, are the rest; all kinds add up to `used`. `pace` is
 * called before each message.
 */
export async function windowContent(
  visible: readonly StoredMessage[],
  { used, providerId, scale = 1 }: { used: number; providerId: string; scale?: number },
  pace?: Pace,
): Promise<WindowContent> {
  let estimated = 0
  const tokens = {
    instructions: 0,
    summary: 0,
    prompts: 0,
    replies: 0,
    reasoning: 0,
    tools: 0,
    files: 0,
  }
  for (const stored of visible) {
    await pace?.()
    for (const message of modelViews([stored]))
      for (const part of message.parts) {
        const some = estimatePart(part, providerId, scale)
        tokens[kindOf(message, part)] += some
        estimated += some
      }
  }
  const share = estimated > used ? used / estimated : 1
  const held = {
    summary: Math.floor(share * tokens.summary),
    prompts: Math.floor(share * tokens.prompts),
    replies: Math.floor(share * tokens.replies),
    reasoning: Math.floor(share * tokens.reasoning),
    tools: Math.floor(share * tokens.tools),
    files: Math.floor(share * tokens.files),
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
