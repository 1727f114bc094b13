import { COLUMNS, type ExportRow, type ExportRowType } from '@palimpsest/core/domain'
import type { RawQueries } from '../connect/statements.ts'
import { columnNames } from './columns.ts'

const TABLES: Record<ExportRowType, string> = {
  session: 'chat_sessions',
  message: 'chat_messages',
  part: 'chat_parts',
  history_op: 'history_ops',
  system_prompt: 'system_prompts',
}

/** Writes a row unless its key is taken; answers whether it did. */
export async function insertNew<T extends ExportRowType>(
  queries: RawQueries,
  type: T,
  row: ExportRow<T>,
): Promise<boolean> {
  const names = columnNames(type)
  const values = new Map<string, unknown>(Object.entries(row))
  const written = await queries.$executeRawUnsafe(
    `INSERT INTO ${TABLES[type]} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
     ON CONFLICT (${names[0]}) DO NOTHING`,
    ...Object.keys(COLUMNS[type]).map((name) => values.get(name)),
  )
  return written > 0
}

/** True when the table of this type holds one of these ids. */
export async function holdsAny(
  queries: RawQueries,
  type: Exclude<ExportRowType, 'system_prompt'>,
  ids: string[],
): Promise<boolean> {
  const found = await queries.$queryRawUnsafe<unknown[]>(
    `SELECT 1 FROM json_each(?) i CROSS JOIN ${TABLES[type]} t ON t.id = i.value LIMIT 1`,
    JSON.stringify(ids),
  )
  return found.length > 0
}
