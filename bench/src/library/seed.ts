import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@palimpsest/core'
import { openStore } from '@palimpsest/db'
import { textOf } from './words.ts'

export type LibrarySize = {
  sessions: number
  messagesPerSession: number
  /** Messages of the one long session, `LONG_SESSION`. */
  longMessages: number
  /** Words of each of those; as many as of the others when absent. */
  longWords?: number
}

export const LONG_SESSION = 'long'

const MODEL = JSON.stringify({ provider_id: 'lab', model_id: 'm1' })
const WORDS = 12
const FIRST_AT = 1_700_000_000_000

const LAST_SEQ = `UPDATE chat_sessions SET last_seq =
  (SELECT coalesce(max(seq), 0) FROM chat_messages WHERE session_id = chat_sessions.id)`

/**
 * Fills a new database file by plain SQL: a million messages through the store would take hours. `open` makes the file, in the
 * schema of its checkout.
 */
export async function seedLibrary(path: string, size: LibrarySize, open = openStore): Promise<void> {
  const store = await open({ url: `file:${path}`, clock: systemClock })
  await store[Symbol.asyncDispose]()
  using file = new DatabaseSync(path)
  file.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN')
  const add = createInserts(file)
  for (let session = 0; session < size.sessions; session++) {
    const id = `s${session}`
    const at = FIRST_AT + session * 1_000
    add.session(id, textOf(session, 4), at)
    for (let message = 0; message < size.messagesPerSession; message++) add.message(id, message, at + message)
  }
  const at = FIRST_AT + size.sessions * 1_000
  add.session(LONG_SESSION, 'A long one', at)
  for (let message = 0; message < size.longMessages; message++)
    add.message(LONG_SESSION, message, at + message, size.longWords)
  const used = tokensUntil(size.longMessages, size.longWords)
  file.prepare('UPDATE chat_sessions SET context_tokens = ? WHERE id = ?').run(used, LONG_SESSION)
  file.exec(LAST_SEQ)
  file.exec('COMMIT; PRAGMA optimize')
}

/** The id of a message by its place in its session, from 0. */
export function messageId(sessionId: string, place: number): string {
  return `${sessionId}m${place}`
}

/** The approximate count of a provider for the first messages of a session: a word and its space are five characters. */
function tokensUntil(messages: number, words = WORDS): number {
  return Math.ceil((messages * words * 5) / 4)
}

function createInserts(file: DatabaseSync) {
  const session = file.prepare(
    `INSERT INTO chat_sessions (id, title, agent, model_json, created_at, updated_at)
     VALUES (?, ?, 'assistant', ?, ?, ?)`,
  )
  const message = file.prepare(
    `INSERT INTO chat_messages (id, session_id, seq, role, metadata_json, window_json, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const part = file.prepare(
    `INSERT INTO chat_parts (id, message_id, session_id, "index", type, data_json, created_at, updated_at)
     VALUES (?, ?, ?, 0, 'text', ?, ?, ?)`,
  )
  const entry = file.prepare('INSERT INTO search_entries (id, session_id, message_id) VALUES (?, ?, ?)')
  const words = file.prepare('INSERT INTO search_index (rowid, session, title, body) VALUES (?, ?, ?, ?)')
  let entries = 0

  function index(sessionId: string, message: string | null, text: string) {
    entries += 1
    entry.run(entries, sessionId, message)
    words.run(entries, sessionId, message === null ? text : '', message === null ? '' : text)
  }

  return {
    session(id: string, title: string, at: number) {
      session.run(id, title, MODEL, at, at)
      index(id, null, title)
    },
    message(sessionId: string, number: number, at: number, words = WORDS) {
      const id = messageId(sessionId, number)
      const text = textOf(entries, words)
      const role = number % 2 === 0 ? 'user' : 'assistant'
      const window = role === 'assistant' ? { tokens: tokensUntil(number + 1, words) } : null
      const metadata = JSON.stringify({ schema_version: 1, created_at: at, ...(window && { window }) })
      const counted = window && JSON.stringify(window)
      message.run(id, sessionId, number + 1, role, metadata, counted, at, at)
      part.run(`${id}p`, id, sessionId, JSON.stringify({ type: 'text', text, state: 'done' }), at, at)
      index(sessionId, id, text)
    },
  }
}
