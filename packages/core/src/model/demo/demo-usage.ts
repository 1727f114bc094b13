import type { LanguageModelV4Prompt, LanguageModelV4Usage } from '@ai-sdk/provider'

export const CHARACTERS_PER_TOKEN = 4
/** The demo model does not look inside; a file counts the same whatever its size. */
const CHARACTERS_OF_A_FILE = 1_000

function demoTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}

/** Tokens of a prompt, four characters each: all of it, and the prefix that an earlier call has already sent. */
export function promptTokens(prompt: LanguageModelV4Prompt): { total: number; cached: number } {
  const sizes = prompt.map((message) => demoTokens(characters(message)))
  const lastReply = prompt.findLastIndex((message) => message.role === 'assistant')
  return { total: sum(sizes), cached: lastReply < 0 ? 0 : sum(sizes.slice(0, lastReply)) }
}

/** Usage as a provider would report it; `written` counts characters. */
export function demoUsage(
  prompt: LanguageModelV4Prompt,
  written: { reasoning: number; text: number },
): LanguageModelV4Usage {
  const { total, cached } = promptTokens(prompt)
  const reasoning = demoTokens(written.reasoning)
  const text = demoTokens(written.text)
  return {
    inputTokens: { total, noCache: total - cached, cacheRead: cached, cacheWrite: 0 },
    outputTokens: { total: text + reasoning, text, reasoning },
  }
}

function characters(message: LanguageModelV4Prompt[number]): number {
  if (message.role === 'system') return message.content.length
  return sum(
    message.content.map((part) =>
      part.type === 'file' ? CHARACTERS_OF_A_FILE : JSON.stringify(part).length,
    ),
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
