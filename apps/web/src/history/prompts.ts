import type { ChatMessage } from '@palimpsest/core/domain'
import { messageText, type Prompt } from '@palimpsest/ui'

/** The reader's own messages that can be gone back to, the latest first. */
export function promptsOf(shown: readonly ChatMessage[]): Prompt[] {
  return shown
    .flatMap((message, at) =>
      message.role === 'user'
        ? [
            {
              id: message.id,
              text: lineOf(message),
              createdAt: message.metadata?.createdAt ?? 0,
              hides: shown.length - 1 - at,
            },
          ]
        : [],
    )
    .reverse()
}

/** A message's words in one line. */
export function lineOf(message: ChatMessage): string {
  return messageText(message).replaceAll(/\s+/g, ' ').trim()
}
