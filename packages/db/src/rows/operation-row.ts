import {
  HISTORY_DETAIL_KEYS,
  type HistoryDetail,
  type HistoryKind,
  type HistoryOperation,
  parseStored,
  stringifyStored,
} from '@palimpsest/core/domain'
import type { HistoryOp } from '../generated/client.ts'

/** A row of `history_ops`. One whose detail cannot be read stands as an operation that changed nothing. */
export function toOperation(row: HistoryOp): HistoryOperation {
  const { hidden, shown, ...detail } = parseStored(row.detailJson, HISTORY_DETAIL_KEYS) ?? {}
  const ranges = { hidden: toList(hidden), shown: toList(shown) }
  return {
    id: row.id,
    sessionId: row.sessionId,
    // Only `writeDetail` and its callers write the columns.
    kind: row.kind as HistoryKind,
    detail: { lastSeq: 0, ...ranges, ...detail } as HistoryDetail,
    createdAt: Number(row.createdAt),
  }
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function writeDetail(detail: HistoryDetail): string {
  return stringifyStored(detail, HISTORY_DETAIL_KEYS)
}
