import type { RecordWrite } from '@palimpsest/core/ports'
import type { Queries } from '../connect/database.ts'
import { writeMetadata } from '../rows/message-row.ts'
import { isUnreadable, partColumns } from '../rows/part-row.ts'

/** Rows of one statement, well below SQLite's 32,766 variables. */
const ROWS = 1_000

const MESSAGE = {
  insert: `INSERT INTO chat_messages (id, session_id, seq, role, metadata_json, created_at, updated_at) VALUES`,
  values: `(?, ?, (SELECT coalesce(max(seq), 0) + 1 FROM chat_messages WHERE session_id = ?), 'assistant', ?, ?, ?)`,
  conflict: `ON CONFLICT (id) DO UPDATE SET metadata_json = excluded.metadata_json, updated_at = excluded.updated_at`,
}

const PART = {
  insert: `INSERT INTO chat_parts
    (id, message_id, session_id, "index", type, data_json, tool_call_id, tool_state, created_at, updated_at) VALUES`,
  values: `(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  conflict: `ON CONFLICT (id) DO UPDATE SET type = excluded.type, data_json = excluded.data_json,
    tool_call_id = excluded.tool_call_id, tool_state = excluded.tool_state, updated_at = excluded.updated_at`,
}

/** Writes the messages and parts of many runs with a few statements. Of several writes to one row the last counts. */
export async function recordWrites(queries: Queries, writes: RecordWrite[]): Promise<void> {
  const messages = new Map(writes.map((write) => [write.messageId, messageRow(write)]))
  const parts = new Map(writes.flatMap((write) => partRows(write).map((row) => [row[0], row])))
  await upsert(queries, MESSAGE, [...messages.values()])
  await upsert(queries, PART, [...parts.values()])
}

/** Writes parts of one message. */
export async function writeParts(queries: Queries, write: PartsWrite): Promise<void> {
  await upsert(queries, PART, partRows(write))
}

type PartsWrite = Pick<RecordWrite, 'messageId' | 'sessionId' | 'parts' | 'at'>

function messageRow({ messageId, sessionId, metadata, createdAt, at }: RecordWrite): unknown[] {
  return [messageId, sessionId, sessionId, writeMetadata(metadata), createdAt, at]
}

function partRows({ messageId, sessionId, parts, at }: PartsWrite): unknown[][] {
  return parts
    .filter(({ data }) => !isUnreadable(data))
    .map(({ id, index, data }) => {
      const { type, dataJson, toolCallId, toolState } = partColumns(data)
      return [id, messageId, sessionId, index, type, dataJson, toolCallId, toolState, at, at]
    })
}

async function upsert(
  queries: Queries,
  { insert, values, conflict }: typeof PART,
  rows: unknown[][],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS) {
    const some = rows.slice(start, start + ROWS)
    const sql = `${insert} ${Array(some.length).fill(values).join()} ${conflict}`
    await queries.$executeRawUnsafe(sql, ...some.flat())
  }
}
