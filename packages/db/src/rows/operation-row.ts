import {
  HISTORY_DETAIL_KEYS,
  type HistoryDetail,
  type HistoryKind,
  type HistoryOperation,
  OPERATION_DETAIL,
  parseStored,
  readable,
  type SeqRange,
  stringifyStored,
} from '@palimpsest/core/domain'
import type { HistoryOp } from '../generated/client.ts'
import { toNumber } from './numbers.ts'
import type { NoteUnreadable } from './unreadable-rows.ts'

/** The columns of `history_ops` that an operation is read from. */
export type OperationRow = Omit<HistoryOp, 'ordinal'>

/**
 * A row of `history_ops`. One whose detail cannot be read becomes an operation that changed nothing, after all
 * messages: undoing it hides none of them.
 */
export function toOperation(row: OperationRow, note: NoteUnreadable): HistoryOperation {
  const stored = parseStored(row.detailJson, HISTORY_DETAIL_KEYS)
  if (stored === null) note({ table: 'history_ops', id: row.id, sessionId: row.sessionId })
  const { hidden, shown, lastSeq, partIds, ...rest } = stored ?? {}
  const checked = {
    lastSeq: isPlace(lastSeq) ? lastSeq : Number.MAX_SAFE_INTEGER,
    hidden: toRanges(hidden),
    shown: toRanges(shown),
    ...(partIds !== undefined && { partIds: toList(partIds).filter((id) => typeof id === 'string') }),
  }
  return {
    id: row.id,
    sessionId: row.sessionId,
    // Only `writeDetail` and its callers write the columns.
    kind: row.kind as HistoryKind,
    detail: { ...checked, ...readable(rest, OPERATION_DETAIL) } as HistoryDetail,
    createdAt: toNumber(row.createdAt),
  }
}

function isPlace(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function toRanges(value: unknown): SeqRange[] {
  return toList(value).filter((range): range is SeqRange => {
    const [from, to] = toList(range)
    return isPlace(from) && isPlace(to) && from <= to
  })
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function writeDetail(detail: HistoryDetail): string {
  return stringifyStored(detail, HISTORY_DETAIL_KEYS)
}
