import {
  decodeNumberCursor,
  type StoredMessage,
  searchableText,
  searchSnippet,
  searchTerms,
} from '@palimpsest/core/domain'
import type { MessageQuery, MessageStore, Page, SearchHit } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import type { Queries } from '../connect/queries.ts'
import { toStoredMessage } from '../rows/message-row.ts'
import { messagesBefore, visibleMessages } from '../sqlite/placed-messages.ts'
import { findMessages } from '../sqlite/search-index.ts'
import { WITH_PARTS } from './stored-messages.ts'

export function createMessageStore(database: Database): MessageStore {
  return {
    get: (sessionId, messageId) =>
      database.read(async (queries) => {
        const where = { id: messageId, sessionId }
        const row = await queries.chatMessage.findUnique({ where, include: WITH_PARTS })
        return row === null ? null : toStoredMessage(row)
      }),
    page: (query) => database.read((queries) => page(queries, query)),
    visible: (sessionId) => database.read((queries) => visibleMessages(queries, sessionId)),
    systemPrompt: (digest) =>
      database.read(async (queries) => {
        const row = await queries.systemPrompt.findUnique({ where: { digest } })
        return row?.body ?? null
      }),
    search: (query) => database.read((queries) => search(queries, query)),
  }
}

async function page(queries: Queries, query: MessageQuery): Promise<Page<StoredMessage>> {
  const { sessionId, limit, cursor, hidden } = query
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeNumberCursor(cursor)
  const found = await messagesBefore(queries, { sessionId, seq: before, limit: limit + 1, hidden })
  const items = found.slice(-limit)
  return { items, nextCursor: found.length > limit ? String(items[0]?.seq) : null }
}

async function search(
  queries: Queries,
  { text, limit, cursor, sessionId }: Parameters<MessageStore['search']>[0],
): Promise<Page<SearchHit>> {
  const terms = searchTerms(text)
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeNumberCursor(cursor)
  if (terms === null) return { items: [], nextCursor: null }
  const found = await findMessages(queries, terms, { before, sessionId, limit: limit + 1 })
  const page = found.slice(0, limit)
  const rows = await queries.chatMessage.findMany({
    where: { id: { in: page.map(({ messageId }) => messageId) } },
    include: { ...WITH_PARTS, session: { select: { title: true } } },
  })
  const hits = new Map(
    rows.map((row) => {
      const { id: messageId, role, parts, createdAt } = toStoredMessage(row)
      const snippet = searchSnippet(searchableText(parts.map(({ data }) => data)), terms)
      const hit = {
        sessionId: row.sessionId,
        sessionTitle: row.session.title,
        messageId,
        role,
        snippet,
        createdAt,
      }
      return [messageId, hit]
    }),
  )
  return {
    items: page.flatMap(({ messageId }) => hits.get(messageId) ?? []),
    nextCursor: found.length > limit ? String(page.at(-1)?.entry) : null,
  }
}
