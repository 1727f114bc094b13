import { setImmediate } from 'node:timers/promises'
import { searchableText, searchSlice } from '@palimpsest/core/domain'
import type { Database } from '../connect/database.ts'
import { indexWords } from '../sqlite/search-index.ts'
import {
  nextUnindexed,
  noteUnindexed,
  searchedParts,
  sliceRow,
  takeNote,
  type Unindexed,
} from '../sqlite/search-slices.ts'

/** Indexes what long texts have beyond their first slice, a slice at a time. */
export type SearchIndexer = AsyncDisposable & {
  /** To be called when a text has been written; returns at once. */
  wake(): void
}

export function createSearchIndexer(database: Database): SearchIndexer {
  let closed = false
  let woken = false
  let working: Promise<void> | null = null

  async function work() {
    while (woken && !closed) {
      woken = false
      // A text that fails stops no other.
      const failed: string[] = []
      const find = () => database.read((queries) => nextUnindexed(queries, failed))
      for (let next = await find(); next !== null && !closed; next = await find()) {
        const { key } = next.note
        await setImmediate()
        await indexSlice(database, next).catch(() => failed.push(key))
      }
    }
  }

  function wake() {
    woken = true
    // What fails stays noted, and is tried with the next text or at the next start.
    working ??= work()
      .catch(() => undefined)
      .finally(() => {
        working = null
        if (woken && !closed) wake()
      })
  }

  return {
    wake,
    async [Symbol.asyncDispose]() {
      closed = true
      await working
    },
  }
}

async function indexSlice(database: Database, text: Unindexed): Promise<void> {
  const { entry, slice, from, sessionId, messageId } = text
  if (sessionId === null || messageId === null) {
    await database.write((queries) => takeNote(queries, text))
    return
  }
  const parts = await database.read((queries) => searchedParts(queries, messageId))
  const searched = searchableText(parts.map(({ data }) => data))
  const { words, to } = searchSlice(searched, from)
  await setImmediate()
  await database.write(async (queries) => {
    // A text that has been written anew meanwhile is indexed anew.
    if (!(await takeNote(queries, text))) return
    if (words.length > 0)
      await indexWords(queries, sliceRow(entry, slice), { sessionId, title: '', body: words.join(' ') })
    if (to < searched.length) await noteUnindexed(queries, entry, { slice: slice + 1, from: to })
  })
}
