import { expect, test } from 'vitest'
import { memoryStorage } from '../state/browser-storage.ts'
import { createChosenFolder, folderOf } from './chosen-folder.ts'

test('SX-9 the folder of new chats is kept in the browser', () => {
  const storage = memoryStorage()
  createChosenFolder(storage).set('/b')
  expect(createChosenFolder(storage).get()).toBe('/b')
  createChosenFolder(storage).set(null)
  expect(createChosenFolder(storage).get()).toBeNull()
})

test.for(['7', '{', '["/b"]', 'null'])('SX-9 what else is stored, %s, is no folder', (stored) => {
  const storage = memoryStorage()
  storage.setItem('palimpsest.folder', stored)
  expect(createChosenFolder(storage).get()).toBeNull()
})

test.for([
  [null, null, null],
  ['/b', null, '/b'],
  [null, ['/a', '/b'], '/a'],
  ['/b', ['/a', '/b'], '/b'],
  ['/gone', ['/a', '/b'], '/a'],
  ['/gone', [], null],
] as const)('SX-9 of the choice %s and the allowed %s the folder is %s', ([chosen, allowed, folder]) => {
  expect(folderOf(chosen, allowed)).toBe(folder)
})
