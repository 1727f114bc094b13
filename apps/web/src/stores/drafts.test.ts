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

test('UI-12 what something else has left in storage is no draft, and what can be read of it is', () => {
  const storage = memoryStorage()
  storage.setItem('palimpsest.draft.a', '{"not":"text"}')
  storage.setItem('palimpsest.draft-files.a', '[broken')
  expect(createDrafts(storage).of('a').get()).toEqual(EMPTY_DRAFT)
  const { size: _, ...sizeless } = FILE
  storage.setItem('palimpsest.draft.b', '"words"')
  storage.setItem('palimpsest.draft-files.b', JSON.stringify([null, 7, { id: 'x' }, sizeless, FILE]))
  expect(createDrafts(storage).of('b').get()).toEqual({ text: 'words', files: [FILE] })
})

test('UI-12 a browser that forbids storage still keeps what is being written', () => {
  const refuse = () => {
    throw new Error('forbidden')
  }
  const drafts = createDrafts({ getItem: refuse, setItem: refuse, removeItem: refuse })
  drafts.of('a').set({ text: 'here', files: [FILE] })
  expect(drafts.of('a').get()).toEqual({ text: 'here', files: [FILE] })
  expect(() => drafts.forget('a')).not.toThrow()
})

test('UI-12 a draft that is thrown away is gone for good', () => {
  const storage = memoryStorage()
  const drafts = createDrafts(storage)
  drafts.of('a').set({ text: 'words', files: [FILE] })
  drafts.forget('a')
  expect(drafts.of('a').get()).toEqual(EMPTY_DRAFT)
  expect(createDrafts(storage).of('a').get()).toEqual(EMPTY_DRAFT)
})

test('UI-12 a keystroke writes the text again and not the files', () => {
  const written: string[] = []
  const storage = memoryStorage()
  const setItem = (key: string, value: string) => {
    written.push(key)
    storage.setItem(key, value)
  }
  const draft = createDrafts({ ...storage, setItem }).of('a')
  draft.set({ text: 'w', files: [FILE] })
  written.length = 0
  draft.set({ ...draft.get(), text: 'wo' })
  expect(written).toEqual(['palimpsest.draft.a'])
})
