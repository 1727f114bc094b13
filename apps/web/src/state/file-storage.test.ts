import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { memoryStorage } from './browser-storage.ts'
import { createFileStorage } from './file-storage.ts'

const filesIn = (storage = memoryStorage(), factory?: IDBFactory) => createFileStorage(storage, factory)

test('UI-12 without a database files are kept beside the text, each under a key of its own', async () => {
  const storage = memoryStorage()
  const files = filesIn(storage)
  expect(await files.put('draft/a/1', { name: 'one' })).toBe(true)
  expect(await files.put('draft/a/2', { name: 'two' })).toBe(true)
  expect(storage.keys('')).toEqual(['palimpsest.file.draft/a/1', 'palimpsest.file.draft/a/2'])
  expect(await filesIn(storage).list('draft/a/')).toEqual([
    ['draft/a/1', { name: 'one' }],
    ['draft/a/2', { name: 'two' }],
  ])
})

test('UI-12 files are listed in the order of their keys, whatever the order in which they were kept', async () => {
  const keys = fc.uniqueArray(fc.stringMatching(/^[a-z0-9/_-]{1,8}$/), { maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(keys, async (names) => {
      const files = filesIn()
      for (const name of names) await files.put(`p/${name}`, name)
      const listed = await files.list('p/')
      expect(listed.map(([key]) => key)).toEqual(names.map((name) => `p/${name}`).toSorted())
      expect(listed.every(([key, value]) => key === `p/${String(value)}`)).toBe(true)
    }),
  )
})

test('UI-12 the files of one session are not those of another whose id begins alike', async () => {
  const files = filesIn()
  await files.put('draft/ses_1/f', 1)
  await files.put('draft/ses_10/f', 10)
  expect(await files.list('draft/ses_1/')).toEqual([['draft/ses_1/f', 1]])
  await files.remove('draft/ses_1/')
  expect(await files.list('draft/')).toEqual([['draft/ses_10/f', 10]])
})

test('UI-12 a file that is put again replaces the one of that key', async () => {
  const files = filesIn()
  await files.put('k', 'old')
  await files.put('k', 'new')
  expect(await files.list('k')).toEqual([['k', 'new']])
})

test('UI-12 a file whose bytes only a database holds is reported as not kept, and leaves nothing behind', async () => {
  const storage = memoryStorage()
  const file = { id: 'f', name: 'a.bin', bytes: new Blob(['x']) }
  expect(await filesIn(storage).put('draft/a/f', file)).toBe(false)
  expect(storage.keys('')).toEqual([])
})

test('UI-12 a storage that is full reports a file as not kept', async () => {
  const setItem = () => {
    throw new Error('quota')
  }
  expect(await filesIn({ ...memoryStorage(), setItem }).put('k', 'value')).toBe(false)
})

test('UI-12 a kept file that cannot be read is listed as nothing, and hides no other', async () => {
  const storage = memoryStorage()
  storage.setItem('palimpsest.file.p/1', '{broken')
  const files = filesIn(storage)
  await files.put('p/2', 'whole')
  expect(await files.list('p/')).toEqual([
    ['p/1', null],
    ['p/2', 'whole'],
  ])
})

/** A browser whose database does not open. */
function refusingFactory() {
  const open = vi.fn(() => {
    const request: { onerror?: () => void; error: Error } = { error: new Error('Private mode') }
    queueMicrotask(() => request.onerror?.())
    return request
  })
  // Only what is called of it.
  return { open, factory: { open } as unknown as IDBFactory }
}

test('UI-12 a database that cannot be opened costs no file: it is kept, listed and removed beside the text', async () => {
  vi.stubGlobal('IDBKeyRange', { bound: (...ends: unknown[]) => ends })
  const { factory, open } = refusingFactory()
  const storage = memoryStorage()
  const files = filesIn(storage, factory)
  expect(await files.put('draft/a/f', 'text')).toBe(true)
  expect(await files.list('draft/')).toEqual([['draft/a/f', 'text']])
  await files.remove('draft/a/')
  expect(storage.keys('')).toEqual([])
  expect(open).toHaveBeenCalledOnce()
  vi.unstubAllGlobals()
})
