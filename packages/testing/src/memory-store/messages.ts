import {
  decodeNumberCursor,
  inRanges,
  isSteering,
  type MessageLayer,
  matchesSearch,
  messageLayer,
  type PromptLine,
  pageLength,
  promptLines,
  replacedBy,
  type SearchTerms,
  type StoredMessage,
  type SummaryPlace,
  searchableText,
  searchSnippet,
  searchTerms,
} from '@palimpsest/core/domain'
import type { MessageQuery, MessageStore, Page, SearchHit } from '@palimpsest/core/ports'
import {
  atomically,
  existingSession,
  isDeleted,
  type MemoryTables,
  messagesOf,
  sizeOf,
  withTail,
} from './tables.ts'

export function createMemoryMessages(tables: MemoryTables): MessageStore {
  return {
    get: (sessionId, messageId) =>
      atomically(() => {
        const message = tables.messages.get(messageId)
        return message?.sessionId === sessionId ? withTail(tables, message) : null
      }),
    page: (query) => atomically(() => page(tables, query)),
    prompts: (query) => atomically(() => prompts(tables, query)),
    visible: (sessionId) =>
      atomically(() =>
        messagesOf(tables, sessionId)
          .filter(({ seq, hiddenAt }) => seq !== null && hiddenAt === null)
          .map((message) => withTail(tables, message)),
      ),
    systemPrompt: (digest) => atomically(() => tables.systemPrompts.get(digest) ?? null),
    search: (query) => atomically(() => search(tables, query)),
  }
}

function page(tables: MemoryTables, query: MessageQuery): Page<StoredMessage> {
  const { sessionId, limit, cursor, hidden, places, role } = query
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : decodeNumberCursor(cursor)
  const found = messagesOf(tables, sessionId).filter(
    ({ seq, hiddenAt, ...message }) =>
      seq !== null &&
      seq < before &&
      (role === undefined || message.role === role) &&
      (hidden || hiddenAt === null) &&
      (places === undefined || inRanges(places, seq)),
  )
  const length = pageLength(found.map(sizeOf).reverse(), limit)
  const items = found.slice(found.length - length).map((message) => withTail(tables, message))
  const nextCursor = found.length > items.length ? String(items[0]?.seq) : null
  return { items, nextCursor }
}

function prompts(tables: MemoryTables, query: Parameters<MessageStore['prompts']>[0]): Page<PromptLine> {
  const { items, nextCursor } = page(tables, { ...query, hidden: true, role: 'user' })
  const layers = new Map(items.map((message) => [message.id, layerOf(tables, message)]))
  return { items: promptLines(items, layers).reverse(), nextCursor }
}

function search(tables: MemoryTables, query: Parameters<MessageStore['search']>[0]): Page<SearchHit> {
  const terms = searchTerms(query.text)
  const before = query.cursor === undefined ? tables.searchable.length : decodeNumberCursor(query.cursor)
  if (terms === null) return { items: [], nextCursor: null }
  const found = tables.searchable.slice(0, before).flatMap((id, place) => {
    const message = tables.messages.get(id)
    if (message === undefined || isDeleted(tables, message.sessionId)) return []
    if ((query.sessionId ?? message.sessionId) !== message.sessionId) return []
    const text = searchableText(message.parts.map((part) => part.data))
    return matchesSearch(text, terms)
      ? [{ place, size: sizeOf(message), hit: hitOf(tables, withTail(tables, message), terms) }]
      : []
  })
  const sizes = found.map(({ size }) => size).reverse()
  const items = found.slice(found.length - pageLength(sizes, query.limit))
  const nextCursor = found.length > items.length ? String(items[0]?.place) : null
  return { items: items.map(({ hit }) => hit).reverse(), nextCursor }
}

function hitOf(tables: MemoryTables, message: StoredMessage, terms: SearchTerms): SearchHit {
  const { id: messageId, sessionId, role, parts, createdAt } = message
  const layer = layerOf(tables, message)
  const snippet = searchSnippet(searchableText(parts.map(({ data }) => data)), terms)
  const sessionTitle = existingSession(tables, sessionId).title
  return { sessionId, sessionTitle, messageId, role, layer, snippet, createdAt }
}

function layerOf(tables: MemoryTables, message: StoredMessage): MessageLayer {
  const shownIn = isSteering(message) ? replyOf(tables, message) : message
  if (shownIn === undefined || shownIn.hiddenAt === null) return 'visible'
  const kind = tables.operations.find(({ id }) => id === shownIn.hiddenBy)?.kind ?? null
  return messageLayer(kind, replacedBy(summariesOf(tables, shownIn.sessionId))(shownIn.seq ?? 0))
}

function summariesOf(tables: MemoryTables, sessionId: string): SummaryPlace[] {
  return tables.operations.flatMap(({ sessionId: of, kind, detail }) => {
    const summary =
      of === sessionId && kind === 'compaction'
        ? tables.messages.get(detail.summaryMessageId ?? '')
        : undefined
    if (summary === undefined) return []
    return [{ seq: summary.seq ?? 0, visible: summary.hiddenAt === null, replaces: detail.hidden }]
  })
}

/** The reply that a message was added to. */
function replyOf(tables: MemoryTables, { sessionId, hiddenBy }: StoredMessage): StoredMessage | undefined {
  return messagesOf(tables, sessionId).findLast(
    ({ seq, role, metadata }) =>
      seq !== null && role === 'assistant' && metadata.runId === hiddenBy && !metadata.compactionId,
  )
}
