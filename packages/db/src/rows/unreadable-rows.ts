/** A row that could not be read and is shown as unreadable. Names it without anything that it holds. */
export type UnreadableRow = {
  table: 'chat_sessions' | 'chat_messages' | 'chat_parts' | 'history_ops'
  id: string
  sessionId: string
}

export type NoteUnreadable = (row: UnreadableRow) => void

/** Rows that are remembered, and so reported, in the life of a store. */
export const REPORTED_ROWS = 1_000

/** Reports each row once, however often it is read; none after the first 1,000. */
export function reportOnce(report: NoteUnreadable): NoteUnreadable {
  const reported = new Set<string>()
  return (row) => {
    const key = `${row.table} ${row.id}`
    if (reported.size >= REPORTED_ROWS || reported.has(key)) return
    reported.add(key)
    report(row)
  }
}
