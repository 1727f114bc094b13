import { setImmediate } from 'node:timers/promises'
import type { StoredPart } from '@palimpsest/core/domain'
import type { ReadQueries } from '../connect/statements.ts'
import type { ChatPart } from '../generated/client.ts'
import { toStoredPart } from '../rows/part-row.ts'
import { columnsAs } from './columns.ts'

/** Bytes from which on the data of a part is read by a statement of its own: reading and parsing takes a millisecond. */
const LARGE_BYTES = 256 * 1024

/** SQL: the columns of a part `p`, its data empty when it is large. */
export const PART_COLUMNS = columnsAs('part', 'p').replace(
  'p."data_json"',
  `CASE WHEN octet_length(p.data_json) > ${LARGE_BYTES} THEN '' ELSE p.data_json END`,
)

/** The parts of rows of `PART_COLUMNS`. Before each large one all other work of the host has a turn. */
export async function readParts(queries: ReadQueries, rows: readonly ChatPart[]): Promise<StoredPart[]> {
  const parts: StoredPart[] = []
  for (const row of rows) {
    if (row.dataJson === '') await setImmediate()
    parts.push(await readPart(queries, row))
  }
  return parts
}

/** The part of a row of `PART_COLUMNS`. */
export async function readPart(queries: ReadQueries, row: ChatPart): Promise<StoredPart> {
  if (row.dataJson !== '') return toStoredPart(row)
  const sql = 'SELECT data_json AS "dataJson" FROM chat_parts WHERE id = ?'
  const [large] = await queries.$queryRawUnsafe<{ dataJson: string }[]>(sql, row.id)
  return toStoredPart({ ...row, ...large })
}
