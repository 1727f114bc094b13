import type { MessageMetadata } from '@palimpsest/core/domain'
import type { RecordWrite } from '@palimpsest/core/ports'
import type { RawQueries } from '../connect/statements.ts'
import { writeMetadata } from '../rows/message-row.ts'
import { isUnreadable, partColumns } from '../rows/part-row.ts'
import { appendLog } from './run-log.ts'

const MESSAGE = `
INSERT INTO chat_messages (id, session_id, seq, role, metadata_json, created_at, updated_at)
VALUES (?, ?, (SELECT coalesce(max(seq), 0) + 1 FROM chat_messages WHERE session_id = ?), 'assistant', ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET metadata_json = excluded.metadata_json, updated_at = excluded.updated_at
`

const PART = `
INSERT INTO chat_parts
  (id, message_id, session_id, "index", type, data_json, tool_call_id, tool_state, created_at, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET type = excluded.type, data_json = excluded.data_json,
  tool_call_id = excluded.tool_call_id, tool_state = excluded.tool_state, updated_at = excluded.updated_at
`

/** Writes logs, messages and parts of any number of runs. Of several writes to one row the last counts. */
export async function recordWrites(queries: RawQueries, writes: RecordWrite[]): Promise<void> {
  for (const write of writes) {
    const { metadata } = write
    if (metadata !== null) await queries.$executeRawUnsafe(MESSAGE, ...messageRow(write, metadata))
    await writeParts(queries, write)
    if (write.log !== undefined) await appendLog(queries, write, write.log)
  }
}

/** Writes parts of one message. */
export async function writeParts(queries: RawQueries, write: PartsWrite): Promise<void> {
  for (const row of partRows(write)) await queries.$executeRawUnsafe(PART, ...row)
}

type PartsWrite = Pick<RecordWrite, 'messageId' | 'sessionId' | 'parts' | 'at'>

function messageRow(
  { messageId, sessionId, createdAt, at }: RecordWrite,
  metadata: MessageMetadata,
): unknown[] {
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
