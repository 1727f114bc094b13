import type { HistoryDetail, HistoryKind } from '../history/history-operation.ts'
import { always, type Check, type Fields, flag, integer, listOf, must, oneOf, text } from './check.ts'
import { model } from './message-metadata.ts'

const id = text(128)
const tokens = integer(0, Number.MAX_SAFE_INTEGER)
const place = integer(0, Number.MAX_SAFE_INTEGER)

const ranges = listOf(
  must('two places, the first no later than the second', (range) => {
    if (!Array.isArray(range) || range.length !== 2) return false
    const [from, to] = range
    return place(from) === null && place(to) === null && from <= to
  }),
)

/** The required keys of each kind of operation. */
export const PLACES: Fields = { lastSeq: place, hidden: ranges, shown: ranges }

/** What the keys of an operation's detail hold. */
export const OPERATION_DETAIL: Fields = {
  lastSeq: place,
  hidden: ranges,
  shown: ranges,
  targetMessageId: id,
  toolCallId: text(1024),
  replacedMessageId: id,
  undoes: id,
  pointId: id,
  summaryMessageId: id,
  summarySeq: place,
  tailStartId: id,
  auto: flag,
  shortened: always,
  split: flag,
  beforeTokens: tokens,
  afterTokens: tokens,
  summaryTokens: tokens,
  leftOut: listOf(id),
  broughtBack: listOf(id),
  partIds: listOf(id),
  fromModel: model,
  toModel: model,
  branchId: id,
  reverted: id,
  snapshotId: text(1024),
  previousSnapshotId: text(1024),
  fileCount: tokens,
} satisfies Record<keyof HistoryDetail, Check>

const KINDS = [
  'rewind',
  'unrewind',
  'compaction',
  'uncompaction',
  'prune',
  'unprune',
  'uncondense',
  'recondense',
  'leaveout',
  'bringback',
  'revert',
  'branch',
  'switch',
] as const satisfies HistoryKind[]

export const operationKind = oneOf(KINDS)

/** The last place that a checked detail names. */
export function lastPlaceOf(detail: Record<string, unknown>): number {
  const { lastSeq, summarySeq, hidden, shown } = detail
  return Math.max(...[lastSeq, summarySeq, hidden, shown].map(highest))
}

function highest(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((most, inner) => Math.max(most, highest(inner)), 0)
  return typeof value === 'number' ? value : 0
}
