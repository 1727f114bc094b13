import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'

export const CHARACTERS_PER_TOKEN = 4
/** The demo model does not look inside; a file counts the same whatever its size. */
const CHARACTERS_OF_A_FILE = 1_000

function demoTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}

/** What a request has that its model reads. */
export type DemoInput = Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>

/**
 * Tokens of a request, four characters each: its messages and the definitions of its tools, and the prefix that an earlier call has
 * already sent.
 */
export function promptTokens({ prompt, tools = [] }: DemoInput): { total: number; cached: number } {
  const definitions = sum(tools.map((tool) => demoTokens(JSON.stringify(tool).length)))
  const sizes = prompt.map((message) => demoTokens(characters(message)))
  const lastReply = prompt.findLastIndex((message) => message.role === 'assistant')
  const cached = lastReply < 0 ? 0 : definitions + sum(sizes.slice(0, lastReply))
  return { total: definitions + sum(sizes), cached }
}

/** Usage as a provider would report it; `written` counts characters. */
export function demoUsage(
  input: DemoInput,
  written: { reasoning: number; text: number },
): LanguageModelV4Usage {
  const { total, cached } = promptTokens(input)
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
