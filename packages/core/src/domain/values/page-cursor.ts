import { AppError } from '../errors.ts'

/** Where the next page of a session list begins: after this row, and after this many rows that moved meanwhile. */
export type SessionCursor = { updatedAt: number; id: string; moves: number }

const SESSION_CURSOR = /^(\d{1,15})\.(\d{1,15})\.([A-Za-z0-9_-]{1,128})$/

export function encodeSessionCursor({ updatedAt, moves, id }: SessionCursor): string {
  return `${updatedAt}.${moves}.${id}`
}

/** Fails with `INVALID_INPUT` of field `cursor`. */
export function decodeSessionCursor(cursor: string): SessionCursor {
  const [, updatedAt, moves, id] = SESSION_CURSOR.exec(cursor) ?? []
  if (id === undefined) throw badCursor()
  return { updatedAt: Number(updatedAt), moves: Number(moves), id }
}

/** A cursor that is a place in one numbered order. Fails with `INVALID_INPUT` of field `cursor`. */
export function decodeNumberCursor(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw badCursor()
  return Number(cursor)
}

/** A cursor that is the id of the last row of a page. Fails with `INVALID_INPUT` of field `cursor`. */
export function decodeIdCursor(cursor: string): string {
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(cursor)) throw badCursor()
  return cursor
}

function badCursor(): AppError {
  return new AppError('INVALID_INPUT', 'This cursor leads nowhere. Start again from the first page.', {
    field: 'cursor',
  })
}
