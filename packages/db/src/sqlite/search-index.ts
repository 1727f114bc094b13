import { type SearchTerms, searchWords } from '@palimpsest/core/domain'
import type { Queries } from '../connect/database.ts'

/** Texts that a word may occur in and still be called rare. */
const RARE = 5_000

/** Makes a message, or with no message the session's title, findable by `text`; what was indexed before is replaced. */
export async function indexText(
  queries: Queries,
  { sessionId, messageId, text }: { sessionId: string; messageId: string | null; text: string },
): Promise<void> {
  const words = searchWords(text).join(' ')
  const id = await entryId(queries, sessionId, messageId)
  await queries.$executeRawUnsafe(
    `INSERT OR REPLACE INTO search_index (rowid, session, title, body) VALUES (?, ${sessionToken('?')}, ?, ?)`,
    id,
    sessionId,
    messageId === null ? words : '',
    messageId === null ? '' : words,
  )
}

/** Takes all texts of a session out of the index, before its rows go. */
export async function forgetTexts(queries: Queries, sessionId: string): Promise<void> {
  await queries.$executeRawUnsafe(
    'DELETE FROM search_index WHERE rowid IN (SELECT id FROM search_entries WHERE session_id = ?)',
    sessionId,
  )
}

/** Messages that hold the terms, newest entry first, from the entry before `before` on. */
export function findMessages(
  queries: Queries,
  terms: SearchTerms,
  { before, sessionId, limit }: { before: number; sessionId: string | undefined; limit: number },
): Promise<{ entry: number; messageId: string }[]> {
  const match = matchExpression(terms, ['body'])
  const within = sessionId === undefined ? [] : [sessionId]
  const [token, owned] =
    sessionId === undefined
      ? ['', '']
      : [`'session : "' || ${sessionToken('?')} || '" AND ' || `, 'AND e.session_id = ?']
  return queries.$queryRawUnsafe(
    `SELECT e.id AS entry, e.message_id AS messageId FROM search_index i CROSS JOIN search_entries e ON e.id = i.rowid
     WHERE search_index MATCH ${token}? AND i.rowid < ? ${owned} ORDER BY i.rowid DESC LIMIT ?`,
    ...within,
    match,
    before,
    ...within,
    limit,
  )
}

/** True when so few texts match that all of them may be looked at. */
export async function isRare(queries: Queries, match: string): Promise<boolean> {
  const found = await queries.$queryRawUnsafe<unknown[]>(
    'SELECT rowid FROM search_index WHERE search_index MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?',
    match,
    RARE,
  )
  return found.length === 0
}

/** A query of the full text index. Words are letters and digits only, so nothing in them can be taken for syntax. */
export function matchExpression({ words, beginning }: SearchTerms, columns: ('title' | 'body')[]): string {
  const all = [...words.map((word) => `"${word}"`), `"${beginning}" *`]
  return `{${columns.join(' ')}} : (${all.join(' AND ')})`
}

/** SQL for the one word that stands for a session in the index. */
export function sessionToken(sql: string): string {
  return `replace(replace(${sql}, '_', ''), '-', '')`
}

function entryId(queries: Queries, sessionId: string, messageId: string | null): Promise<number> {
  return messageId === null ? titleEntryId(queries, sessionId) : messageEntryId(queries, sessionId, messageId)
}

async function messageEntryId(queries: Queries, sessionId: string, messageId: string): Promise<number> {
  const [row] = await queries.$queryRawUnsafe<{ id: number | bigint }[]>(
    `INSERT INTO search_entries (session_id, message_id) VALUES (?, ?)
     ON CONFLICT (message_id) DO UPDATE SET session_id = excluded.session_id RETURNING id`,
    sessionId,
    messageId,
  )
  return Number(row?.id)
}

async function titleEntryId(queries: Queries, sessionId: string): Promise<number> {
  const existing = await queries.searchEntry.findFirst({
    where: { sessionId, messageId: null },
    select: { id: true },
  })
  if (existing !== null) return existing.id
  const made = await queries.searchEntry.create({ data: { sessionId }, select: { id: true } })
  return made.id
}
