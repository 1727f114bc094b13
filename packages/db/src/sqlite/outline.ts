import {
  type CountedWindow,
  type OutlineEntry,
  parseStored,
  type Role,
  WINDOW_KEYS,
} from '@palimpsest/core/domain'
import type { ReadQueries } from '../connect/statements.ts'
import type { HistoryOp } from '../generated/client.ts'
import { columnsAs } from './columns.ts'

type EntryRow = {
  id: string
  seq: bigint
  role: Role
  hiddenBy: string | null
  compactionId: string | null
  windowJson: string | null
  condensed: bigint
}

/** A session's messages without their bodies, in order. */
export async function outlineEntries(queries: ReadQueries, sessionId: string): Promise<OutlineEntry[]> {
  const rows = await queries.$queryRawUnsafe<EntryRow[]>(
    `SELECT id, seq, CASE WHEN role IN ('user', 'system') THEN role ELSE 'assistant' END AS role,
       CASE WHEN hidden_at IS NOT NULL THEN coalesce(hidden_by, 'unknown') END AS hiddenBy,
       ${ofMetadata('compaction_id', '->>')} AS compactionId,
       ${ofMetadata('window', '->')} AS windowJson,
       ${ofMetadata('condensed', '->')} IS NOT NULL AS condensed
     FROM chat_messages WHERE session_id = ? AND seq IS NOT NULL ORDER BY seq`,
    sessionId,
  )
  return rows.map(({ id, seq, role, hiddenBy, compactionId, windowJson, condensed }) => ({
    id,
    seq: Number(seq),
    role,
    hiddenBy,
    compactionId,
    window: windowJson === null ? null : readWindow(windowJson),
    condensed: Number(condensed) === 1,
  }))
}

/** SQL for what a message's metadata has under a key. Rows that do not name it are not parsed, which takes the longest. */
function ofMetadata(key: string, operator: '->' | '->>'): string {
  return `CASE WHEN instr(metadata_json, '"${key}"') AND json_valid(metadata_json) THEN metadata_json ${operator} '$.${key}' END`
}

/** A session's operations in the order in which they happened. */
export function operationRows(queries: ReadQueries, sessionId: string): Promise<HistoryOp[]> {
  return queries.$queryRawUnsafe(
    `SELECT ${columnsAs('history_op', 'o')} FROM history_ops o WHERE o.session_id = ? ORDER BY o.rowid`,
    sessionId,
  )
}

/** The latest rewind or un-rewind that still hides something, or the last one if it has only shown something. */
export async function lastRewindRow(queries: ReadQueries, sessionId: string): Promise<HistoryOp | undefined> {
  const [row] = await queries.$queryRawUnsafe<HistoryOp[]>(
    `SELECT ${columnsAs('history_op', 'o')} FROM history_ops o
     WHERE o.session_id = ? AND o.kind IN ('rewind', 'unrewind') AND (
       EXISTS (SELECT 1 FROM chat_messages m WHERE m.hidden_by = o.id)
       OR (o.kind = 'rewind' AND json_valid(o.detail_json) AND json_array_length(o.detail_json, '$.shown') > 0
         AND o.detail_json ->> '$.last_seq' = (SELECT max(seq) FROM chat_messages WHERE session_id = o.session_id)
         AND NOT EXISTS (SELECT 1 FROM history_ops later WHERE later.session_id = o.session_id AND later.rowid > o.rowid
           AND later.kind IN ('rewind', 'unrewind'))))
     ORDER BY o.rowid DESC LIMIT 1`,
    sessionId,
  )
  return row
}

function readWindow(json: string): CountedWindow | null {
  const value = parseStored(json, WINDOW_KEYS)
  // The rest is what `writeMetadata` wrote beside the tokens.
  return typeof value?.['tokens'] === 'number' ? (value as CountedWindow) : null
}
