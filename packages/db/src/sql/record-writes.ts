import type { RecordWrite } from '@palimpsest/core/ports'
import type { RawQueries } from '../connect/statements.ts'
import { metadataColumns } from '../rows/message-row.ts'
import { isUnreadable, partColumns } from '../rows/part-row.ts'
import { nameBlobs } from './blob-rows.ts'
import { addSpending } from './budget-rows.ts'
import { addMessage, updateMessage } from './message-rows.ts'
import { appendLog } from './run-log.ts'
import { endStep } from './step-ending.ts'

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
    await writeReply(queries, write)
    await writeParts(queries, write)
    await appendLog(queries, write, write.log)
    if (write.spent !== undefined) await addSpending(queries, write.spent)
    if (write.step !== undefined) await endStep(queries, write.sessionId, write.step, write.at)
  }
}

/** Writes parts of one message. */
export async function writeParts(queries: RawQueries, write: PartsWrite): Promise<void> {
  for (const row of partRows(write)) await queries.$executeRawUnsafe(PART, ...row)
  for (const part of write.parts) await nameBlobs(queries, part)
}

type PartsWrite = Pick<RecordWrite, 'messageId' | 'sessionId' | 'parts' | 'at'>

async function writeReply(
  queries: RawQueries,
  { messageId: id, sessionId, metadata, createdAt, at }: RecordWrite,
): Promise<void> {
  if (metadata === null) return
  if (await updateMessage(queries, id, { ...metadataColumns(metadata), updated_at: at })) return
  const reply = { id, sessionId, role: 'assistant', metadata } as const
  await addMessage(queries, reply, { queuedAt: null, createdAt, at })
}

function partRows({ messageId, sessionId, parts, at }: PartsWrite): unknown[][] {
  return parts
    .filter(({ data }) => !isUnreadable(data))
    .map(({ id, index, data }) => {
      const { type, dataJson, toolCallId, toolState } = partColumns(data)
      return [id, messageId, sessionId, index, type, dataJson, toolCallId, toolState, at, at]
    })
}
