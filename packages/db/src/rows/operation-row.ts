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
  const detail = parseStored(row.detailJson, HISTORY_DETAIL_KEYS)
  return {
    id: row.id,
    sessionId: row.sessionId,
    // Only `writeDetail` and its callers write the columns.
    kind: row.kind as HistoryKind,
    detail: { lastSeq: 0, hidden: [], shown: [], ...detail } as HistoryDetail,
    createdAt: Number(row.createdAt),
  }
}

export function writeDetail(detail: HistoryDetail): string {
  return stringifyStored(detail, HISTORY_DETAIL_KEYS)
}
