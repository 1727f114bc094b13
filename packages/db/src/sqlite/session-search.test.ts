import type { Store } from '@palimpsest/core/ports'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

const SESSIONS = 1_500
const TEXTS_EACH = 8

/** Which sessions hold a word, by their number from the oldest on: as rare and as common as terms can be. */
const WORDS: Record<string, (session: number) => boolean> = {
  everywhere: () => true,
  anciently: (session) => session < 40 || session >= SESSIONS - 20,
  sometimes: (session) => session % 5 === 0,
  once: (session) => session === 700,
  seldom: (session) => session % 100 === 3,
}

/** Fills the file by plain SQL: each session's texts hold its words, the old ones' many times over. */
function fill(path: string): void {
  using database = withDispose(new Database(path))
  const session = database.prepare(
    `INSERT INTO chat_sessions (id, agent, model_json, created_at, updated_at, archived_at)
     VALUES (?, 'assistant', '{"provider_id":"lab","model_id":"m"}', ?, ?, ?)`,
  )
  const entry = database.prepare('INSERT INTO search_entries (session_id) VALUES (?)')
  const text = database.prepare(`INSERT INTO search_index (rowid, session, title, body) VALUES (?, ?, '', ?)`)
  database.exec('BEGIN')
  for (let number = 0; number < SESSIONS; number++) {
    const id = idOf(number)
    session.run(id, number, Math.floor(number / 3), number % 7 === 0 ? 1 : null)
    const body = Object.keys(WORDS).filter((word) => WORDS[word]?.(number))
    const texts = number < 40 ? 300 : TEXTS_EACH
    for (let place = 0; place < texts; place++) {
      text.run(entry.run(id).lastInsertRowid, id, body.join(' '))
    }
  }
  database.exec('COMMIT')
}

function withDispose(database: Database.Database): Database.Database & Disposable {
  return Object.assign(database, { [Symbol.dispose]: () => void database.close() })
}

function idOf(number: number): string {
  return `s${String(number).padStart(4, '0')}`
}

async function everyPage(store: Store, search: string, archived: boolean): Promise<string[]> {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await store.sessions.list({
      limit: 45,
      archived,
      ephemeral: true,
      search,
      ...(cursor !== undefined && { cursor }),
    })
    found.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found
}

test('DA-10 sessions that contain a word are found in order and in pages, for common and rare words', async () => {
  await using fixture = await temporaryStore()
  fill(fixture.path)
  for (const word of Object.keys(WORDS)) {
    for (const archived of [false, true]) {
      const holding = Array.from({ length: SESSIONS }, (_, number) => number)
        .filter((number) => WORDS[word]?.(number) && (number % 7 === 0) === archived)
        .reverse()
        .map(idOf)
      expect(await everyPage(fixture.store, word, archived), `${word}, archived ${archived}`).toEqual(holding)
    }
  }
})

test('DA-5 sessions that contain a word are searched by page, scan or lookup, by how common the word is at the start of the list', async () => {
  const asked: string[] = []
  await using fixture = await temporaryStore({ observe: ({ sql }) => asked.push(sql) })
  fill(fixture.path)
  const ways: Record<string, string[]> = {}
  for (const word of Object.keys(WORDS)) {
    asked.length = 0
    await fixture.store.sessions.list({ limit: 50, archived: false, ephemeral: true, search: word })
    ways[word] = asked.flatMap((sql) => {
      if (/FROM \(SELECT DISTINCT/.test(sql)) return ['lookup']
      if (/\+s\.id IN/.test(sql)) return ['scan']
      return /^\s*SELECT DISTINCT e\.session_id/.test(sql) ? ['page'] : []
    })
  }
  expect(ways).toEqual({
    everywhere: ['page'],
    anciently: ['page', 'page', 'page', 'page', 'scan'],
    sometimes: ['scan'],
    once: ['lookup'],
    seldom: ['lookup'],
  })
})
