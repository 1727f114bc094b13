import type { ModelMessage, SystemModelMessage } from 'ai'
import type { ProviderFamily } from './provider-family.ts'

/** Marks the end of what the provider may keep for the next request. Anthropic takes four marks in one request. */
const BREAKPOINT = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/** Messages that end with a mark: the last one, and the one at which the request before it ended. */
const MARKED_MESSAGES = 2

/**
 * The system prompt for a provider: for Anthropic in two pieces, each marked, the first of which, `stable` characters long, stays the same
 * from turn to turn; for others as it is.
 */
export function cachedInstructions(
  instructions: string,
  stable: number,
  family: ProviderFamily,
): string | SystemModelMessage[] {
  if (family !== 'anthropic' || instructions === '') return instructions
  const pieces = [instructions.slice(0, stable), instructions.slice(stable)]
  return pieces
    .filter((piece) => piece.trim() !== '')
    .map((content) => ({ role: 'system', content, providerOptions: BREAKPOINT }))
}

/**
 * The messages with marks for Anthropic at the ends of the last two that a person or a tool wrote, before the `reminders` at the end,
 * which the next request no longer has.
 */
export function cachedMessages(
  messages: readonly ModelMessage[],
  reminders: number,
  family: ProviderFamily,
): ModelMessage[] {
  if (family !== 'anthropic') return [...messages]
  let left = MARKED_MESSAGES
  const marked = messages.toReversed().map((message, index): ModelMessage => {
    const isLasting = index >= reminders && message.role !== 'assistant' && message.role !== 'system'
    if (!isLasting || left === 0) return message
    left -= 1
    return { ...message, providerOptions: { ...message.providerOptions, ...BREAKPOINT } }
  })
  return marked.reverse()
}
