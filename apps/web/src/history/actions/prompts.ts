import type { ChatMessage } from '@palimpsest/core/domain'
import { messageText, type Prompt, type QuestionLine } from '@palimpsest/ui'

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

/** The words of each of the person's messages in one line: of those that are loaded, and of the lines that were read. */
export function linesOf(
  loaded: readonly ChatMessage[],
  read: readonly QuestionLine[] | null = null,
): ReadonlyMap<string, string> {
  return new Map([
    ...(read ?? []).map(({ messageId, text }) => [messageId, text] as const),
    ...loaded.map((message) => [message.id, lineOf(message)] as const),
  ])
}

/** A message's words in one line. */
export function lineOf(message: ChatMessage): string {
  return messageText(message).replaceAll(/\s+/g, ' ').trim()
}
