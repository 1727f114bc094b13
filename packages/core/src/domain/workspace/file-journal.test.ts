import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  CHANGE_AUTHORS,
  CHANGE_STATUSES,
  FILE_CHOICES,
  FILE_MODES,
  type FileState,
  NOT_KEPT_REASONS,
  sameState,
} from './file-journal.ts'

const file: FileState = { id: 'a', mode: '100644' }

test('RW-12 what has the same content and mode is the same, though it was read twice', () => {
  expect(sameState(file, { ...file })).toBe(true)
})

test.for([
  ['content', { ...file, id: 'b' }],
  ['executable bit', { ...file, mode: '100755' }],
  ['kind, a link that names the content', { ...file, mode: '120000' }],
] as const)('RW-12 what differs in its %s alone is not the same', ([, other]) => {
  expect(sameState(file, other)).toBe(false)
  expect(sameState(other, file)).toBe(false)
})

test('RW-12 nothing is the same as nothing, and as no file', () => {
  expect(sameState(null, null)).toBe(true)
  expect(sameState(null, file)).toBe(false)
  expect(sameState(file, null)).toBe(false)
})

test('RW-12 a file whose content has an empty name is still not nothing', () => {
  expect(sameState({ id: '', mode: '100644' }, null)).toBe(false)
})

test('RW-12 to be the same is always mutual, passes on, and holds for each state with itself', () => {
  const mode = fc.constantFrom(...FILE_MODES)
  const state = fc.option(fc.record({ id: fc.constantFrom('a', 'b'), mode }), { nil: null })
  fc.assert(
    fc.property(state, state, state, (one, other, third) => {
      expect(sameState(one, one)).toBe(true)
      expect(sameState(one, other)).toBe(sameState(other, one))
      if (sameState(one, other)) expect(sameState(one, third)).toBe(sameState(other, third))
      expect(sameState(one, other)).toBe(JSON.stringify(one) === JSON.stringify(other))
    }),
  )
})

// These words are stored in rows and sent to clients: one that is renamed here would no longer be read.
test('RW-5 the words of a row are those that are stored', () => {
  expect(CHANGE_AUTHORS).toEqual(['call', 'operation', 'person'])
  expect(CHANGE_STATUSES.toSorted()).toEqual(
    ['conflict', 'made', 'not-kept', 'open', 'pending', 'settled', 'uncertain'].toSorted(),
  )
  expect(FILE_MODES).toEqual(['100644', '100755', '120000'])
})

test('RW-10 the reasons for which a content is not kept are those that are stored', () => {
  expect(NOT_KEPT_REASONS.toSorted()).toEqual(['folder', 'name', 'too-large', 'unknown-folder', 'unreadable'])
})

test('RW-12 a person can keep a file, restore it, or have both', () => {
  expect(FILE_CHOICES).toEqual(['keep', 'restore', 'both'])
})
