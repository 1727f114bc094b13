import { expect, test } from 'vitest'
import { memoryStorage } from '../state/browser-storage.ts'
import { createDrafts, EMPTY_DRAFT } from './drafts.ts'

const FILE = { id: 'f', name: 'a.png', mediaType: 'image/png', url: 'data:image/png;base64,AA==', size: 1 }

test('UI-12 each session keeps its own draft across a reload', () => {
  const storage = memoryStorage()
  const before = createDrafts(storage)
  before.of('a').set({ text: 'for a', files: [FILE] })
  before.of('b').set({ text: 'for b', files: [] })
  const after = createDrafts(storage)
  expect(after.of('a').get()).toEqual({ text: 'for a', files: [FILE] })
  expect(after.of('b').get()).toEqual({ text: 'for b', files: [] })
})

test('UI-12 a file that the browser has no room for does not cost the text', () => {
  const storage = memoryStorage()
  const full = {
    ...storage,
    setItem(key: string, value: string) {
      if (value.includes('base64')) throw new Error('quota')
      storage.setItem(key, value)
    },
  }
  createDrafts(full)
    .of('a')
    .set({ text: 'kept', files: [FILE] })
  expect(createDrafts(storage).of('a').get()).toEqual({ text: 'kept', files: [] })
})

test('UI-12 what was sent leaves no draft behind', () => {
  const storage = memoryStorage()
  const drafts = createDrafts(storage)
  drafts.of('a').set({ text: 'sent', files: [FILE] })
  drafts.of('a').set(EMPTY_DRAFT)
  expect(createDrafts(storage).of('a').get()).toEqual(EMPTY_DRAFT)
})
