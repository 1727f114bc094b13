import type { Format } from '../format/format.ts'
import type { Messages } from '../messages/en.ts'
import type { TimelineEntry } from './timeline-entry.ts'

/** What an operation is called: an edited message and an automatic summary have names of their own. */
export function operationName(
  { kind, detail }: TimelineEntry,
  { kinds }: Messages['history']['timeline'],
): string {
  if (kind === 'rewind' && detail.replacedMessageId !== undefined) return kinds.edit
  if (kind === 'unrewind' && detail.targetMessageId !== undefined) return kinds.version
  if (kind === 'compaction' && detail.auto === true) return kinds.autoCompaction
  return kinds[kind]
}

/** What an operation did, in counts: messages hidden and shown, files, outputs, tokens before and after. */
export function operationFacts(
  entry: TimelineEntry,
  words: Messages['history']['timeline'],
  format: Format,
): string[] {
  const { kind, detail, hiddenCount, shownCount } = entry
  const { beforeTokens, afterTokens, partIds, fileCount = 0 } = detail
  const tokens =
    beforeTokens !== undefined && afterTokens !== undefined && beforeTokens !== afterTokens
      ? [words.tokens(format.tokens(beforeTokens), format.tokens(afterTokens))]
      : []
  return [
    ...(hiddenCount > 0 ? [words.hid(hiddenCount)] : []),
    ...(shownCount > 0 ? [words.showed(shownCount)] : []),
    ...(fileCount > 0 ? [words.files(fileCount)] : []),
    ...(partIds !== undefined && partIds.length > 0 ? [words.results(partIds.length)] : []),
    ...(kind === 'branch' ? [] : tokens),
  ]
}
