import type { ExportRow, ExportRowType } from '@palimpsest/core/domain'
import type { RawQueries } from '../connect/statements.ts'
import type { MessageCopies, SessionCopies } from '../rows/copied-columns.ts'

const TABLES: Record<ExportRowType, string> = {
  session: 'chat_sessions',
  message: 'chat_messages',
  part: 'chat_parts',
  history_op: 'history_ops',
  system_prompt: 'system_prompts',
}

/** The columns that no export carries. */
type Unexported = {
  session: SessionCopies & { last_seq: number; deleted_at?: number | null }
  message: MessageCopies
  part: object
  history_op: { ordinal: number }
  system_prompt: object
}

/** A row of a table, whole. */
export type TableRow<T extends ExportRowType> = ExportRow<T> & Unexported[T]

/** Writes a row unless its key is taken; returns whether it did. */
export async function insertNew<T extends ExportRowType>(
  queries: RawQueries,
  type: T,
  row: TableRow<T>,
): Promise<boolean> {
  const names = Object.keys(row).map((name) => `"${name}"`)
  const written = await queries.$executeRawUnsafe(
    `INSERT INTO ${TABLES[type]} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
     ON CONFLICT (${type === 'system_prompt' ? 'digest' : 'id'}) DO NOTHING`,
    ...Object.values(row),
  )
  return written > 0
}

/** True when the table of this type holds one of these ids. */
export async function holdsAny(
  queries: RawQueries,
  type: Exclude<ExportRowType, 'system_prompt'>,
  ids: string[],
): Promise<boolean> {
  const { texts, join } = queries.dialect
  const found = await queries.$queryRawUnsafe<unknown[]>(
    `SELECT 1 FROM ${texts} i ${join} ${TABLES[type]} t ON t.id = i.value LIMIT 1`,
    JSON.stringify(ids),
  )
  return found.length > 0
}
