import type { ChatMessage } from '@palimpsest/core/domain'

/** Largest share of a window that the conversation of a new branch may take. */
const LARGEST_SHARE = 0.8

/** The latest reply at which the conversation still fits into `usable` tokens, with the message it answers. */
export function branchPoint(
  shown: readonly ChatMessage[],
  usable: number,
): { messageId: string; prompt: ChatMessage } | null {
  const at = shown.findLastIndex(
    ({ metadata }) => metadata?.window !== undefined && metadata.window.tokens <= usable * LARGEST_SHARE,
  )
  const reply = shown[at]
  const prompt = shown.slice(0, at + 1).findLast(({ role }) => role === 'user')
  return reply === undefined || prompt === undefined ? null : { messageId: reply.id, prompt }
}
