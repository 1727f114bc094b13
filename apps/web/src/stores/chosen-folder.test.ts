import { expect, test } from 'vitest'
import { memoryStorage } from '../state/browser-storage.ts'
import { createChosenFolder, folderOf, NO_FOLDER } from './chosen-folder.ts'

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

const SERVER = { workspaces: ['/a', '/b'], defaultWorkspace: null, demo: null }
const DEFAULT = { ...SERVER, defaultWorkspace: '/a' }
const DEMO = { ...SERVER, demo: '/demo' }

test.for([
  [null, null, undefined, undefined],
  ['/b', null, '/b', '/b'],
  [NO_FOLDER, null, null, null],
  [null, SERVER, undefined, null],
  [null, DEFAULT, undefined, '/a'],
  [null, DEMO, undefined, '/demo'],
  ['/b', SERVER, '/b', '/b'],
  ['/b/deep', DEFAULT, '/b/deep', '/b/deep'],
  ['/bees', DEFAULT, undefined, '/a'],
  ['/gone', DEMO, undefined, '/demo'],
  [NO_FOLDER, DEFAULT, null, null],
  [NO_FOLDER, DEMO, null, null],
] as const)(
  'SX-9 of the choice %s and the server %j a new chat names %s and has %s',
  ([chosen, server, named, value]) => {
    expect(folderOf(chosen, server)).toEqual({ named, value })
  },
)
