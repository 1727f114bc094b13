import type { HeavyMessage, WindowContent } from '@palimpsest/core/domain'
import type { Format } from '../format/format.ts'
import type { Messages } from '../messages/en.ts'

export type WindowFacts = { used: number; content: WindowContent; heaviest: readonly HeavyMessage[] }

/** A share under which no message is worth a name. */
const NOTABLE = 0.1

/** What takes the most of the window, in one sentence; null for an empty one. */
export function windowSentence(
  { used, content, heaviest }: WindowFacts,
  { sentence }: Pick<Messages['meter'], 'sentence'>,
  format: Pick<Format, 'percent'>,
): string | null {
  if (used === 0) return null
  const [first] = heaviest
  // Parts are estimated: they can come to more than a provider has counted.
  const shareOf = (tokens: number) => Math.min(1, tokens / used)
  const { instructions, summary } = content
  const heaviestTokens = first?.tokens ?? 0
  if (instructions > heaviestTokens && instructions >= summary)
    return sentence.instructions(format.percent(shareOf(instructions)))
  if (summary > heaviestTokens) return sentence.summary(format.percent(shareOf(summary)))
  if (first === undefined) return null
  const share = shareOf(first.tokens)
  const percent = format.percent(share)
  if (share < NOTABLE) return sentence.spread(percent)
  if (first.role === 'user')
    return first.place === 1 ? sentence.firstMessage(percent) : sentence.message(first.text, percent)
  return first.place === 1 ? sentence.firstReply(percent) : sentence.reply(first.text, percent)
}
