import {
  decodeNumberCursor,
  type PromptLine,
  pageLength,
  promptLines,
  type StoredMessage,
  searchableText,
  searchSnippet,
  searchTerms,
} from '@palimpsest/core/domain'
import type { MessageQuery, MessageStore, Page, SearchHit } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import type { ReadQueries } from '../connect/statements.ts'
import { messageLayers } from '../sql/message-layers.ts'
import {
  messageById,
  messageSizes,
  messagesBefore,
  messagesByIds,
  visibleMessages,
} from '../sql/placed-messages.ts'
import { readPrompt } from '../sql/prompt-rows.ts'
import { sessionsByIds } from '../sql/session-rows.ts'
import { findMessages } from '../sqlite/search-index.ts'

export function createMessageStore(database: Database): MessageStore {
  return {
    get: (sessionId, messageId) => database.read((queries) => messageById(queries, sessionId, messageId)),
    page: (query) => database.read((queries) => page(queries, query)),
    prompts: (query) => database.read((queries) => prompts(queries, query)),
    visible: (sessionId) => database.read((queries) => visibleMessages(queries, sessionId)),
    systemPrompt: (digest) => database.read((queries) => readPrompt(queries, digest)),
    search: (query) => database.read((queries) => search(queries, query)),
  }
}

async function page(queries: ReadQueries, query: MessageQuery): Promise<Page<StoredMessage>> {
  const { cursor, ...rest } = query
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeNumberCursor(cursor)
  const { items, more } = await messagesBefore(queries, { ...rest, seq: before })
  return { items, nextCursor: more ? String(items[0]?.seq) : null }
}

async function prompts(
  queries: ReadQueries,
  query: Parameters<MessageStore['prompts']>[0],
): Promise<Page<PromptLine>> {
  const { items, nextCursor } = await page(queries, { ...query, hidden: true, role: 'user' })
  return { items: promptLines(items, await messageLayers(queries, items)).reverse(), nextCursor }
}

async function search(
  queries: ReadQueries,
  { text, limit, cursor, sessionId }: Parameters<MessageStore['search']>[0],
): Promise<Page<SearchHit>> {
  const terms = searchTerms(text)
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeNumberCursor(cursor)
  if (terms === null) return { items: [], nextCursor: null }
  const found = await findMessages(queries, terms, { before, sessionId, limit: limit + 1 })
  const sizes = await messageSizes(
    queries,
    found.map((hit) => hit.messageId),
  )
  const length = pageLength(
    found.map((hit) => sizes.get(hit.messageId) ?? 0),
    limit,
  )
  const page = found.slice(0, length)
  const messages = await messagesByIds(
    queries,
    page.map((hit) => hit.messageId),
  )
  const sessions = await sessionsByIds(queries, [...new Set(messages.map((message) => message.sessionId))])
  const layers = await messageLayers(queries, messages)
  const titles = new Map(sessions.map(({ id, title }) => [id, title]))
  const hits = new Map(
    messages.map(({ id: messageId, sessionId, role, parts, createdAt }) => {
      const snippet = searchSnippet(searchableText(parts.map(({ data }) => data)), terms)
      const sessionTitle = titles.get(sessionId) ?? ''
      const layer = layers.get(messageId) ?? 'visible'
      return [messageId, { sessionId, sessionTitle, messageId, role, layer, snippet, createdAt }]
    }),
  )
  return {
    items: page.flatMap(({ messageId }) => hits.get(messageId) ?? []),
    nextCursor: found.length > length ? String(page.at(-1)?.entry) : null,
  }
}
