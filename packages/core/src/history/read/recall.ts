import { isLeftOut } from '../../context/model-view.ts'
import type { StoredMessage } from '../../domain/message/message.ts'
import type { Recalled } from '../../domain/message/recalled.ts'
import { searchableText, searchHits, searchTerms, searchWords } from '../../domain/message/search-text.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Store } from '../../ports/index.ts'

/** Passages of one answer, and characters of one, of which so many are before the first hit. */
const PASSAGES = 8
const PASSAGE_CHARACTERS = 1_500
const BEFORE_HIT = 300
/** Words of a query that are searched for one by one when no message has all of them. */
const WORDS = 6
const WORD_CHARACTERS = 3
/** Ancestors of a session, pages of hits and hits of a page that are looked at. */
const ANCESTORS = 5
const PAGES = 5
const PAGE_SIZE = 100

type Ports = { store: Pick<Store, 'messages' | 'sessions'> }

/**
 * Searches what compactions have summarised of a session, and of what it was branched from up to its fork: messages with all words
 * of the query, else with most of them, the latest first. What was rewound, left out or is still visible is not found.
 */
export async function recall(session: Session, query: string, ports: Ports): Promise<Recalled[]> {
  const lineage = await lineageOf(session, ports)
  const found: StoredMessage[] = []
  for (const place of lineage) found.push(...(await search(place, query, ports)))
  const exact = found.length > 0 ? found : await byWords(lineage, query, ports)
  return exact.slice(0, PASSAGES).map((message) => toPassage(message, query))
}

/** A session, and the time up to which its messages are those of the one that asks. */
type Place = { sessionId: string; until: number }

async function lineageOf(session: Session, { store }: Ports): Promise<Place[]> {
  const places: Place[] = [{ sessionId: session.id, until: Number.POSITIVE_INFINITY }]
  let current: Session | null = session
  let until = Number.POSITIVE_INFINITY
  while (current?.parentId && current.parentMessageId && places.length <= ANCESTORS) {
    if ('subagent' in current.metadata) break
    const fork: StoredMessage | null = await store.messages.get(current.parentId, current.parentMessageId)
    if (fork === null) break
    until = Math.min(until, fork.createdAt)
    places.push({ sessionId: current.parentId, until })
    current = await store.sessions.get(current.parentId)
  }
  return places
}

async function search({ sessionId, until }: Place, text: string, { store }: Ports): Promise<StoredMessage[]> {
  const found: StoredMessage[] = []
  let cursor: string | null = null
  for (let page = 0; page < PAGES && found.length < PASSAGES; page++) {
    const query = { text, sessionId, limit: PAGE_SIZE, ...(cursor !== null && { cursor }) }
    const { items, nextCursor } = await store.messages.search(query)
    const summarised = items.filter(({ layer, createdAt }) => layer === 'summarised' && createdAt <= until)
    for (const { messageId } of summarised.slice(0, PASSAGES - found.length)) {
      const message = await store.messages.get(sessionId, messageId)
      if (message !== null && !isLeftOut(message)) found.push(message)
    }
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return found
}

/** The messages with the most words of the query. */
async function byWords(lineage: readonly Place[], query: string, ports: Ports): Promise<StoredMessage[]> {
  const words = [...new Set(searchWords(query))]
    .filter(({ length }) => length >= WORD_CHARACTERS)
    .slice(0, WORDS)
  const counted = new Map<string, { message: StoredMessage; count: number }>()
  for (const place of lineage)
    for (const word of words)
      for (const message of await search(place, word, ports)) {
        const count = (counted.get(message.id)?.count ?? 0) + 1
        counted.set(message.id, { message, count })
      }
  return [...counted.values()]
    .toSorted((a, b) => b.count - a.count || b.message.createdAt - a.message.createdAt)
    .map(({ message }) => message)
}

function toPassage({ id, sessionId, role, createdAt, parts }: StoredMessage, query: string): Recalled {
  const text = searchableText(parts.map(({ data }) => data))
  const words = searchWords(query)
  const first = words
    .flatMap((word) => searchHits(text, searchTerms(word) ?? { words: [], beginning: word }).slice(0, 1))
    .reduce((least, { start }) => Math.min(least, start), text.length)
  const start = first === text.length ? 0 : Math.max(0, first - BEFORE_HIT)
  const end = Math.min(text.length, start + PASSAGE_CHARACTERS)
  const cut = `${start > 0 ? '…' : ''}${text.slice(start, end).toWellFormed()}${end < text.length ? '…' : ''}`
  return { sessionId, messageId: id, role, createdAt, text: cut }
}
