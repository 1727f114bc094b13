import { setImmediate } from 'node:timers/promises'
import { type SearchTerms, searchSlice, searchWords } from '@palimpsest/core/domain'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import { ENTRY_OF_ROW, noteUnindexed, SLICE_ROWS } from './search-slices.ts'

/** Prefixes up to this length have an index of their own; a longer one is read as the words that begin with it. */
const INDEXED_PREFIX = 3

/** More words than this are not worth naming one by one. */
const WORDS_NAMED = 32

/**
 * Makes a message findable by the first slice of `text`, and notes when there is more; what was indexed of it before is
 * replaced.
 */
export async function indexMessage(
  queries: RawQueries,
  { sessionId, messageId, text }: { sessionId: string; messageId: string; text: string },
): Promise<void> {
  const entry = await messageEntryId(queries, sessionId, messageId)
  const { words, to } = searchSlice(text, 0)
  await indexWords(queries, entry, { sessionId, title: '', body: words.join(' ') })
  if (to < text.length) await noteUnindexed(queries, entry, { slice: 1, from: to })
}

/** Makes a session findable by its title, and no longer by the one before. */
export async function indexTitle(
  queries: RawQueries,
  { sessionId, title }: { sessionId: string; title: string },
): Promise<void> {
  const entry = await titleEntryId(queries, sessionId)
  await indexWords(queries, entry, { sessionId, title: wordsOf(title), body: '' })
}

/** `row` is an entry's id, or that of one of its slices. */
export async function indexWords(
  queries: RawQueries,
  row: number,
  { sessionId, title, body }: { sessionId: string; title: string; body: string },
): Promise<void> {
  await queries.$executeRawUnsafe(
    'INSERT OR REPLACE INTO search_index (rowid, session, title, body) VALUES (?, ?, ?, ?)',
    row,
    sessionToken(sessionId),
    title,
    body,
  )
}

/** A text to be found: of a message, or the session's title, without a message. */
export type NewText = { messageId: string | null; text: string }

/** Texts and characters that are indexed at once. */
const INDEXED = { texts: 100, characters: 50_000 }

/**
 * Makes texts of a session findable that were not before: its title and its messages in order; of a long text its first slice,
 * with a note that there is more. Other work of the host has turns in between.
 */
export async function indexNewTexts(
  queries: RawQueries,
  sessionId: string,
  texts: Iterable<NewText>,
): Promise<void> {
  let some: NewText[] = []
  let characters = 0
  for (const text of texts) {
    if (some.length === INDEXED.texts || characters > INDEXED.characters) {
      await indexAtOnce(queries, sessionId, some)
      await setImmediate()
      some = []
      characters = 0
    }
    some.push(text)
    characters += text.text.length
  }
  if (some.length > 0) await indexAtOnce(queries, sessionId, some)
}

async function indexAtOnce(queries: RawQueries, sessionId: string, texts: NewText[]): Promise<void> {
  const slices = new Map(texts.map(({ messageId, text }) => [messageId, firstSlice(text)]))
  const entries = await queries.$queryRawUnsafe<{ id: bigint; messageId: string | null }[]>(
    `INSERT INTO search_entries (session_id, message_id) SELECT ?, value FROM json_each(?)
     RETURNING id, message_id AS messageId`,
    sessionId,
    JSON.stringify([...slices.keys()]),
  )
  const rows = entries.map(({ id, messageId }) => {
    const text = slices.get(messageId)?.words
    return messageId === null ? [Number(id), text, ''] : [Number(id), '', text]
  })
  await queries.$executeRawUnsafe(
    `INSERT INTO search_index (rowid, session, title, body)
     SELECT value ->> 0, ?, value ->> 1, value ->> 2 FROM json_each(?)`,
    sessionToken(sessionId),
    JSON.stringify(rows),
  )
  for (const { id, messageId } of entries) {
    const from = slices.get(messageId)?.rest
    if (from !== undefined && messageId !== null) await noteUnindexed(queries, Number(id), { slice: 1, from })
  }
}

/** The words of a text's first slice, and the character where the rest begins when there is one. */
function firstSlice(text: string): { words: string; rest: number | undefined } {
  const { words, to } = searchSlice(text, 0)
  return { words: words.join(' '), rest: to < text.length ? to : undefined }
}

/** Each word once: the index does not count them. */
function wordsOf(text: string): string {
  return [...new Set(searchWords(text))].join(' ')
}

/** Takes all texts of a session out of the index, before its rows go. */
export async function forgetTexts(queries: RawQueries, sessionId: string): Promise<void> {
  await queries.$executeRawUnsafe(
    `DELETE FROM search_index WHERE rowid IN (SELECT id FROM search_entries WHERE session_id = ? UNION ALL ${SLICE_ROWS})`,
    sessionId,
    sessionId,
  )
}

const OUT_OF_BIN = 'AND e.session_id NOT IN (SELECT id FROM chat_sessions WHERE deleted_at IS NOT NULL)'

/** Messages that hold the terms, newest entry first, from the entry before `before` on; none of the bin. */
export async function findMessages(
  queries: ReadQueries,
  terms: SearchTerms,
  { before, sessionId, limit }: { before: number; sessionId: string | undefined; limit: number },
): Promise<Hit[]> {
  const match = await matchExpression(queries, terms, ['body'])
  const within = sessionId === undefined ? [] : [sessionId]
  const ofSession = `${OUT_OF_BIN} ${sessionId === undefined ? '' : 'AND e.session_id = ?'}`
  const values = [sessionId === undefined ? match : inSessions(match, [sessionId]), before, ...within, limit]
  const firsts = await queries.$queryRawUnsafe<Hit[]>(
    `SELECT e.id AS entry, e.message_id AS messageId FROM search_index i CROSS JOIN search_entries e ON e.id = i.rowid
     WHERE search_index MATCH ? AND i.rowid > 0 AND i.rowid < ? ${ofSession} ORDER BY i.rowid DESC LIMIT ?`,
    ...values,
  )
  const others = await queries.$queryRawUnsafe<Hit[]>(
    `SELECT DISTINCT e.id AS entry, e.message_id AS messageId
     FROM search_index i CROSS JOIN search_entries e ON e.id = ${ENTRY_OF_ROW}
     WHERE search_index MATCH ? AND i.rowid < 0 AND e.id < ? ${ofSession} ORDER BY e.id DESC LIMIT ?`,
    ...values,
  )
  if (others.length === 0) return firsts
  const hits = new Map([...firsts, ...others].map((hit) => [hit.entry, hit]))
  return [...hits.values()].sort((a, b) => b.entry - a.entry).slice(0, limit)
}

type Hit = { entry: number; messageId: string }

/** A query of the full text index. Words are letters and digits only, so nothing in them can be taken for syntax. */
export async function matchExpression(
  queries: ReadQueries,
  { words, beginning }: SearchTerms,
  columns: ('title' | 'body')[],
): Promise<string> {
  const all = [...words.map((word) => `"${word}"`), await beginsWith(queries, beginning)]
  return `{${columns.join(' ')}} : (${all.join(' AND ')})`
}

/** Narrows an expression to some sessions, and at times to others whose ids differ in punctuation only. */
export function inSessions(match: string, sessionIds: string[]): string {
  return `session : (${sessionIds.map((id) => `"${sessionToken(id)}"`).join(' OR ')}) AND ${match}`
}

/** When a long prefix has few words, merging all its entries takes longer than a query for each word. */
async function beginsWith(queries: ReadQueries, beginning: string): Promise<string> {
  const prefix = `"${beginning}" *`
  if (beginning.length <= INDEXED_PREFIX) return prefix
  const terms = await queries.$queryRawUnsafe<{ term: string }[]>(
    'SELECT term FROM temp.search_vocabulary WHERE term >= ? AND term < ? LIMIT ?',
    beginning,
    `${beginning}\u{10FFFF}`,
    WORDS_NAMED + 1,
  )
  if (terms.length === 0 || terms.length > WORDS_NAMED) return prefix
  return `(${terms.map(({ term }) => `"${term}"`).join(' OR ')})`
}

/** The token of the index that identifies a session. */
function sessionToken(sessionId: string): string {
  return sessionId.replace(/[^A-Za-z0-9]/g, '')
}

async function messageEntryId(queries: RawQueries, sessionId: string, messageId: string): Promise<number> {
  const [row] = await queries.$queryRawUnsafe<{ id: number }[]>(
    `INSERT INTO search_entries (session_id, message_id) VALUES (?, ?)
     ON CONFLICT (message_id) DO UPDATE SET session_id = excluded.session_id RETURNING id`,
    sessionId,
    messageId,
  )
  return row?.id ?? 0
}

async function titleEntryId(queries: RawQueries, sessionId: string): Promise<number> {
  const [existing] = await queries.$queryRawUnsafe<{ id: number }[]>(
    'SELECT id FROM search_entries WHERE session_id = ? AND message_id IS NULL',
    sessionId,
  )
  if (existing !== undefined) return existing.id
  const [made] = await queries.$queryRawUnsafe<[{ id: number }]>(
    'INSERT INTO search_entries (session_id) VALUES (?) RETURNING id',
    sessionId,
  )
  return made.id
}
