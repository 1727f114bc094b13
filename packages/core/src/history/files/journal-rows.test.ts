import { fileChangeRow, fileState } from '@palimpsest/testing/file-change-row.ts'
import { expect, test } from 'vitest'
import { JOURNAL_PAGE, type Store } from '../../ports/index.ts'
import { allRows, personRow } from './journal-rows.ts'

/** A journal with so many rows, and what was asked of it. */
function journalOf(count: number) {
  const asked: number[] = []
  const rows = Array.from({ length: count }, (_, at) => fileChangeRow({ ordinal: at + 1 }))
  const fileChanges = {
    ofSession(_: string, after: number) {
      asked.push(after)
      return Promise.resolve(rows.filter(({ ordinal }) => ordinal > after).slice(0, JOURNAL_PAGE))
    },
  }
  return { asked, store: { fileChanges } as unknown as Pick<Store, 'fileChanges'> }
}

test.for([
  [0, 1],
  [1, 1],
  [JOURNAL_PAGE - 1, 1],
  [JOURNAL_PAGE, 2],
  [JOURNAL_PAGE + 1, 2],
  [3 * JOURNAL_PAGE, 4],
] as const)('RW-11 %i rows are read in %i pages, each once and in order', async ([count, pages]) => {
  const { asked, store } = journalOf(count)
  const rows = await allRows(store, 'chat')
  expect(rows.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
  expect(asked).toHaveLength(pages)
})

test('RW-5 a person’s change names no run, message, call or operation', () => {
  const change = { root: '/w', path: 'a.txt', before: fileState('old'), after: null }
  expect(personRow('chat', change, { now: () => 7 })).toEqual({
    ...change,
    sessionId: 'chat',
    author: 'person',
    madeIn: 'chat',
    messageId: null,
    runId: null,
    toolCallId: null,
    operationId: null,
    status: 'made',
    reason: null,
    createdAt: 7,
  })
})
