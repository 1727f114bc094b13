import { expect, test } from 'vitest'
import type { KeyValueStorage } from '../state/browser-storage.ts'
import { memoryStorage } from '../state/browser-storage.ts'
import { createFileStorage } from '../state/file-storage.ts'
import { createTabs } from '../testing/create-tabs.ts'
import { createDrafts, EMPTY_DRAFT } from './drafts.ts'

const draftsOf = (storage: KeyValueStorage, onFileNotKept: (name: string) => void = () => undefined) =>
  createDrafts(storage, createFileStorage(storage, undefined), onFileNotKept)

const FILE = { id: 'f', name: 'a.png', mediaType: 'image/png', url: 'data:image/png;base64,AA==', size: 1 }

test('UI-12 each session keeps its own draft across a reload', async () => {
  const storage = memoryStorage()
  const before = draftsOf(storage)
  before.of('a').set({ text: 'for a', files: [FILE] })
  before.of('b').set({ text: 'for b', files: [] })
  const after = draftsOf(storage)
  await expect.poll(() => after.of('a').get()).toEqual({ text: 'for a', files: [FILE] })
  expect(after.of('b').get()).toEqual({ text: 'for b', files: [] })
})

test('UI-12 a file that exceeds the browser’s storage does not cost the text, and is named', async () => {
  const storage = memoryStorage()
  const lost: string[] = []
  const full = {
    ...storage,
    setItem(key: string, value: string) {
      if (value.includes('base64')) throw new Error('quota')
      storage.setItem(key, value)
    },
  }
  draftsOf(full, (name) => lost.push(name))
    .of('a')
    .set({ text: 'kept', files: [FILE] })
  await expect.poll(() => lost).toEqual(['a.png'])
  expect(draftsOf(storage).of('a').get()).toEqual({ text: 'kept', files: [] })
})

test('UI-12 what was sent leaves no draft behind', () => {
  const storage = memoryStorage()
  const drafts = draftsOf(storage)
  drafts.of('a').set({ text: 'sent', files: [FILE] })
  drafts.of('a').set(EMPTY_DRAFT)
  expect(draftsOf(storage).of('a').get()).toEqual(EMPTY_DRAFT)
})

test('UI-12 what something else has left in storage is no draft, and what can be read of it is', () => {
  const storage = memoryStorage()
  storage.setItem('palimpsest.draft.a', '{"not":"text"}')
  storage.setItem('palimpsest.draft-files.a', '[broken')
  expect(draftsOf(storage).of('a').get()).toEqual(EMPTY_DRAFT)
  const { size: _, ...sizeless } = FILE
  storage.setItem('palimpsest.draft.b', '"words"')
  storage.setItem('palimpsest.draft-files.b', JSON.stringify([null, 7, { id: 'x' }, sizeless, FILE]))
  expect(draftsOf(storage).of('b').get()).toEqual({ text: 'words', files: [FILE] })
})

test('UI-12 a browser that forbids storage still keeps what is being written', () => {
  const refuse = () => {
    throw new Error('forbidden')
  }
  const drafts = draftsOf({ ...memoryStorage(), getItem: refuse, setItem: refuse, removeItem: refuse })
  drafts.of('a').set({ text: 'here', files: [FILE] })
  expect(drafts.of('a').get()).toEqual({ text: 'here', files: [FILE] })
  expect(() => drafts.forget('a')).not.toThrow()
})

test('UI-12 a draft that is thrown away is gone for good', () => {
  const storage = memoryStorage()
  const drafts = draftsOf(storage)
  drafts.of('a').set({ text: 'words', files: [FILE] })
  drafts.forget('a')
  expect(drafts.of('a').get()).toEqual(EMPTY_DRAFT)
  expect(draftsOf(storage).of('a').get()).toEqual(EMPTY_DRAFT)
})

test('UI-12 a keystroke writes the text again and not the files', async () => {
  const written: string[] = []
  const storage = memoryStorage()
  const setItem = (key: string, value: string) => {
    written.push(key)
    storage.setItem(key, value)
  }
  const draft = draftsOf({ ...storage, setItem }).of('a')
  draft.set({ text: 'w', files: [FILE] })
  await expect.poll(() => written).toEqual(['palimpsest.draft.a', 'palimpsest.file.draft/a/f'])
  written.length = 0
  draft.set({ ...draft.get(), text: 'wo' })
  expect(written).toEqual(['palimpsest.draft.a'])
})

test('UI-12 what is written in one tab shows in another, and neither loses a word', () => {
  const tabs = createTabs()
  const [a, b] = [draftsOf(tabs.open().storage), draftsOf(tabs.open().storage)]
  a.of('s').set({ text: 'written in a', files: [] })
  expect(b.of('s').get().text).toBe('written in a')
  b.of('s').set({ text: 'written in a, then in b', files: [] })
  expect(a.of('s').get().text).toBe('written in a, then in b')
  expect(draftsOf(tabs.open().storage).of('s').get().text).toBe('written in a, then in b')
  b.of('s').set(EMPTY_DRAFT)
  expect(a.of('s').get()).toEqual(EMPTY_DRAFT)
})

test('UI-12 files that two tabs add are all kept', async () => {
  const tabs = createTabs()
  const [a, b] = [draftsOf(tabs.open().storage), draftsOf(tabs.open().storage)]
  const other = { ...FILE, id: 'g', name: 'b.png' }
  a.of('s').set({ text: '', files: [FILE] })
  b.of('s').set({ text: '', files: [other] })
  const reloaded = draftsOf(tabs.open().storage).of('s')
  await expect.poll(() => reloaded.get().files).toEqual([FILE, other])
})

test('UI-12 files that an older page kept in one list get keys of their own', async () => {
  const storage = memoryStorage()
  storage.setItem('palimpsest.draft-files.a', JSON.stringify([FILE]))
  expect(draftsOf(storage).of('a').get().files).toEqual([FILE])
  await expect.poll(() => storage.getItem('palimpsest.draft-files.a')).toBeNull()
  const after = draftsOf(storage).of('a')
  await expect.poll(() => after.get().files).toEqual([FILE])
})

test('UI-12 a file that is added enters its draft once a reload no longer loses it, unless it was taken out by then', async () => {
  const storage = memoryStorage()
  const held = createFileStorage(storage, undefined)
  const stored = Promise.withResolvers<boolean>()
  const drafts = createDrafts(storage, { ...held, put: () => stored.promise }, () => undefined)
  const added = drafts.addFile('a', FILE, () => true)
  const unwanted = drafts.addFile('a', { ...FILE, id: 'g' }, () => false)
  await Promise.resolve()
  expect(drafts.of('a').get().files).toEqual([])
  stored.resolve(true)
  await Promise.all([added, unwanted])
  expect(drafts.of('a').get().files).toEqual([FILE])
})

test('UI-12 a file that was taken out with its draft is kept again when the draft comes back', async () => {
  const storage = memoryStorage()
  const drafts = draftsOf(storage)
  await drafts.addFile('a', FILE, () => true)
  const draft = drafts.of('a').get()
  drafts.of('a').set(EMPTY_DRAFT)
  drafts.of('a').set(draft)
  const after = draftsOf(storage)
  await expect.poll(() => after.of('a').get().files).toEqual([FILE])
})

test('UI-12 a file that is taken out while the kept files are listed does not come back', async () => {
  const storage = memoryStorage()
  await draftsOf(storage).addFile('a', FILE, () => true)
  const held = createFileStorage(storage, undefined)
  const listed = Promise.withResolvers<void>()
  const list = async (prefix: string) => {
    const found = await held.list(prefix)
    await listed.promise
    return found
  }
  const draft = createDrafts(storage, { ...held, list }, () => undefined).of('a')
  draft.set({ text: '', files: [FILE] })
  draft.set(EMPTY_DRAFT)
  listed.resolve()
  await expect.poll(() => storage.keys('palimpsest.file.')).toEqual([])
  expect(draft.get()).toEqual(EMPTY_DRAFT)
})

test('UI-12 without IndexedDB a file that is added and taken out at once is kept nowhere', async () => {
  const storage = memoryStorage()
  const draft = draftsOf(storage).of('a')
  draft.set({ text: '', files: [FILE] })
  draft.set(EMPTY_DRAFT)
  await createFileStorage(storage, undefined).remove('other')
  await expect.poll(() => storage.keys('palimpsest.file.')).toEqual([])
  expect(draftsOf(storage).of('a').get()).toEqual(EMPTY_DRAFT)
})
