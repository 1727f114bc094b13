import { SEARCHED_CHARACTERS, type StoredPart } from '@palimpsest/core/domain'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import type { ChatPart } from '../generated/client.ts'
import { PART_COLUMNS, readPart } from '../sql/large-parts.ts'

/*
 * A long text is indexed in slices. The first one is the row of its entry's id; the others have negative ids, which are made
 * of the entry's id and the slice's number. What is still to be indexed is noted in `store_meta`.
 */

/** Slices of one text at most. */
const SLICES = 1024

/** SQL: the entry of a row `i` of the index. */
export const ENTRY_OF_ROW = `iif(i.rowid > 0, i.rowid, -i.rowid / ${SLICES})`

/** SQL: the rows of the slices of a session's texts. */
export const SLICE_ROWS = `SELECT d.id FROM search_entries e CROSS JOIN search_index_docsize d
  ON d.id BETWEEN -e.id * ${SLICES} - ${SLICES - 1} AND -e.id * ${SLICES} WHERE e.session_id = ?`

/** The row of a slice, from 1. */
export function sliceRow(entry: number, slice: number): number {
  return -(entry * SLICES + Math.min(slice, SLICES - 1))
}

const PREFIX = 'search:'
const BEHIND_PREFIX = 'search;'

/** The next slice of a text, and the character where it begins. */
type NextSlice = { slice: number; from: number }

/** The text of an entry that is not indexed whole, and its note; `sessionId` and `messageId` are null when it is gone. */
export type Unindexed = NextSlice & {
  note: { key: string; value: string }
  entry: number
  sessionId: string | null
  messageId: string | null
}

export async function noteUnindexed(queries: RawQueries, entry: number, next: NextSlice): Promise<void> {
  await queries.$executeRawUnsafe(
    'INSERT INTO store_meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    PREFIX + String(entry),
    noted(next),
  )
}

/** Takes back a note; false when there is another one by now. */
export async function takeNote(queries: RawQueries, { note }: Unindexed): Promise<boolean> {
  const sql = 'DELETE FROM store_meta WHERE key = ? AND value = ?'
  return (await queries.$executeRawUnsafe(sql, note.key, note.value)) === 1
}

function noted({ slice, from }: NextSlice): string {
  return `${slice}:${from}`
}

/** One of the texts that are not indexed whole, without those whose notes are in `except`; null when there is none. */
export async function nextUnindexed(
  queries: ReadQueries,
  except: readonly string[] = [],
): Promise<Unindexed | null> {
  const [note] = await queries.$queryRawUnsafe<{ key: string; value: string }[]>(
    `SELECT key, value FROM store_meta WHERE key >= ? AND key < ?
       AND key NOT IN (SELECT value FROM ${queries.dialect.texts} ids) LIMIT 1`,
    PREFIX,
    BEHIND_PREFIX,
    JSON.stringify(except),
  )
  if (note === undefined) return null
  const entry = Number(note.key.slice(PREFIX.length))
  const [slice = 0, from = 0] = note.value.split(':').map(Number)
  // A note that cannot be read is of no text, and is taken back.
  if (![entry, slice, from].every(Number.isSafeInteger))
    return { note, entry, slice, from, sessionId: null, messageId: null }
  const [found] = await queries.$queryRawUnsafe<{ sessionId: string; messageId: string | null }[]>(
    'SELECT session_id AS sessionId, message_id AS messageId FROM search_entries WHERE id = ?',
    entry,
  )
  return {
    note,
    entry,
    slice,
    from,
    sessionId: found?.sessionId ?? null,
    messageId: found?.messageId ?? null,
  }
}

/** The text parts of a message that can be searched: as many as hold the searched characters. */
export async function searchedParts(queries: ReadQueries, messageId: string): Promise<StoredPart[]> {
  const rows = await queries.$queryRawUnsafe<ChatPart[]>(
    `SELECT ${PART_COLUMNS} FROM chat_parts p WHERE p.message_id = ? AND p.type = 'text' ORDER BY p."index"`,
    messageId,
  )
  const parts: StoredPart[] = []
  let characters = 0
  for (const row of rows) {
    if (characters >= SEARCHED_CHARACTERS) break
    const part = await readPart(queries, row)
    parts.push(part)
    characters += 'text' in part.data ? part.data.text.length : 0
  }
  return parts
}
