import { expect, test } from 'vitest'
import { inFolders } from './in-folders.ts'

const own = { source: 'user', path: 'AGENTS.md' }
const ofWorkspace = { source: 'project', path: 'AGENTS.md' }
const warning = { path: 'x.md', text: 'No name.' }

test('UI-31 what is the same for every folder is listed once, and what a folder brings with its name', () => {
  const lists = ['/a', '/b'].map((folder) => ({ folder, items: [own, ofWorkspace], warnings: [warning] }))
  expect(inFolders(lists)).toEqual({
    items: [
      { ...own, folder: null },
      { ...ofWorkspace, folder: '/a' },
      { ...ofWorkspace, folder: '/b' },
    ],
    warnings: [warning],
  })
})

test('UI-31 a single folder is not named', () => {
  expect(inFolders([{ folder: '/a', items: [ofWorkspace], warnings: [] }]).items).toEqual([
    { ...ofWorkspace, folder: null },
  ])
  expect(inFolders([])).toEqual({ items: [], warnings: [] })
})
