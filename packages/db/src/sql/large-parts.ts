import { setImmediate } from 'node:timers/promises'
import type { StoredPart } from '@palimpsest/core/domain'
import type { ReadQueries } from '../connect/statements.ts'
import type { ChatPart } from '../generated/client.ts'
import { toStoredPart } from '../rows/part-row.ts'
import { columnsAs } from './columns.ts'

/** Bytes from which on the data of a part is read by a statement of its own, so that a page of parts has few megabytes. */
const LARGE_BYTES = 32 * 1024

/** Characters of JSON that are parsed between two turns: a few milliseconds. */
const TURN_CHARACTERS = 256 * 1024

/** SQL: the columns of a part `p`, its data empty when it is large. */
export const PART_COLUMNS = columnsAs('part', 'p').replace(
  'p."data_json"',
  `CASE WHEN octet_length(p.data_json) > ${LARGE_BYTES} THEN '' ELSE p.data_json END`,
)

/** Called with the characters of each JSON text that is parsed; gives other work of the host a turn after many. */
export type ReadPace = (characters: number) => Promise<void> | undefined

export function createReadPace(): ReadPace {
  let parsed = 0
  return (characters) => {
    parsed += characters
    if (parsed < TURN_CHARACTERS) return undefined
    parsed = 0
    return setImmediate()
  }
}

/** The part of a row of `PART_COLUMNS`. */
export async function readPart(queries: ReadQueries, row: ChatPart, pace?: ReadPace): Promise<StoredPart> {
  const whole = row.dataJson === '' ? { ...row, ...(await dataOf(queries, row.id)) } : row
  await pace?.(whole.dataJson.length)
  return toStoredPart(whole)
}

async function dataOf(queries: ReadQueries, id: string): Promise<{ dataJson: string } | undefined> {
  const sql = 'SELECT data_json AS "dataJson" FROM chat_parts WHERE id = ?'
  return (await queries.$queryRawUnsafe<{ dataJson: string }[]>(sql, id))[0]
}
