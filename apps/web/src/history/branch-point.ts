import type { ChatMessage } from '@palimpsest/core/domain'

/** Share of a window that a conversation may take and still leave room to go on. */
const ROOM = 0.8

/** The latest reply at which the conversation still fits into `usable` tokens, with the message it answers. */
export function branchPoint(
  shown: readonly ChatMessage[],
  usable: number,
): { messageId: string; prompt: ChatMessage } | null {
  const at = shown.findLastIndex(
    ({ metadata }) => metadata?.window !== undefined && metadata.window.tokens <= usable * ROOM,
  )
  const reply = shown[at]
  const prompt = shown.slice(0, at + 1).findLast(({ role }) => role === 'user')
  return reply === undefined || prompt === undefined ? null : { messageId: reply.id, prompt }
}
