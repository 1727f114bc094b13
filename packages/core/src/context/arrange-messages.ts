import type { ModelMessage, UserModelMessage } from 'ai'
import type { ProviderFamily } from './provider-family.ts'

/** APIs that want a person and the model to take turns: no two messages of a person in a row, none right after results. */
const STRICT: ReadonlySet<ProviderFamily> = new Set(['mistral', 'google'])
const RESULTS_SEEN = 'I have the results.'
const NO_WORDS = '(blank message)'

/**
 * Messages in an order that the API takes: a person's first, neighbouring replies as one, and where the API is strict
 * neighbouring messages of a person as well. `awaitsReply`: the last message is to be a person's or a result.
 */
export function arrangeMessages(
  messages: readonly ModelMessage[],
  family: ProviderFamily,
  awaitsReply: boolean,
): ModelMessage[] {
  const arranged: ModelMessage[] = []
  for (const message of messages) {
    const last = arranged.at(-1)
    const merged = last && mergeMessages(last, message, STRICT.has(family))
    if (merged) {
      arranged[arranged.length - 1] = merged
      continue
    }
    if (last === undefined && message.role !== 'user') arranged.push({ role: 'user', content: NO_WORDS })
    if (last?.role === 'tool' && message.role === 'user' && STRICT.has(family))
      arranged.push({ role: 'assistant', content: RESULTS_SEEN })
    arranged.push(message)
  }
  const end = arranged.at(-1)?.role
  if (end === undefined || (end === 'assistant' && awaitsReply))
    arranged.push({ role: 'user', content: NO_WORDS })
  return arranged
}

/** Both as one; null when they stay two. */
function mergeMessages(first: ModelMessage, second: ModelMessage, strict: boolean): ModelMessage | null {
  if (strict && first.role === 'user' && second.role === 'user')
    return { role: 'user', content: joinWords([...contentOf(first), ...contentOf(second)]) }
  if (first.role !== 'assistant' || second.role !== 'assistant') return null
  return { role: 'assistant', content: [...contentOf(first), ...contentOf(second)] }
}

type Content<Message extends { content: unknown }> = Exclude<Message['content'], string>

function contentOf<Part extends object>({
  content,
}: {
  content: string | Part[]
}): (Part | { type: 'text'; text: string })[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** Words alone as one text: some servers take nothing else. */
function joinWords(parts: Content<UserModelMessage>): UserModelMessage['content'] {
  const words = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return words.length === parts.length ? words.join('\n\n') : parts
}
