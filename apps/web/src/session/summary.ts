import type { ChatMessage } from '@palimpsest/core/domain'

/** What the summary of a compaction says. */
export type SummaryData = {
  summary: string
  tailStartId: string
  auto: boolean
  beforeTokens: number
  afterTokens: number
}

export function isSummary({ metadata }: ChatMessage): boolean {
  return metadata?.summary === true
}

/** The summary inside a message; null when it holds none that can be read. */
export function summaryData({ parts }: ChatMessage): SummaryData | null {
  const part = parts.find(({ type }) => type === 'data-compaction')
  if (part === undefined || !('data' in part) || !isRecord(part.data)) return null
  const { summary, tail_start_id, auto, before_tokens, after_tokens } = part.data
  if (typeof summary !== 'string' || typeof tail_start_id !== 'string') return null
  return {
    summary,
    tailStartId: tail_start_id,
    auto: auto === true,
    beforeTokens: countOf(before_tokens),
    afterTokens: countOf(after_tokens),
  }
}

function isRecord(
  value: unknown,
): value is Record<'summary' | 'tail_start_id' | 'auto' | 'before_tokens' | 'after_tokens', unknown> {
  return typeof value === 'object' && value !== null
}

function countOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
