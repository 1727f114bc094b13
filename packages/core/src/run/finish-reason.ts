import type { FinishReason } from '../domain/message.ts'

/** Reasons for which packages have no name of their own, by the words in them. */
const IN_OTHER_WORDS: readonly (readonly [RegExp, FinishReason])[] = [
  [/error|abort|cancel|timeout|interrupt|insufficient/i, 'error'],
  [/length|max_?(output_?)?tokens|token_?limit/i, 'length'],
  [/filter|safety|sensitive|prohibited|blocked/i, 'content-filter'],
]

/**
 * Why a provider ended its answer. Servers that report a failure, a full window or a filter in words that their package
 * does not know ended it for that; every other unknown reason is `other`.
 */
export function reasonOf(finishReason: string, raw: string | undefined): string {
  if (finishReason !== 'other' || raw === undefined) return finishReason
  return IN_OTHER_WORDS.find(([words]) => words.test(raw))?.[1] ?? finishReason
}
