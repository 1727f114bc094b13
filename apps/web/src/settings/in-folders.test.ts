import { expect, test } from 'vitest'
import { inFolders } from './in-folders.ts'

const own = { source: 'user', path: 'AGENTS.md' }
const ofProject = { source: 'project', path: 'AGENTS.md' }
const warning = { path: 'x.md', text: 'No name.' }

test('UI-31 what is the same for every folder is listed once, and what a folder brings with its name', () => {
  const lists = ['/a', '/b'].map((folder) => ({ folder, items: [own, ofProject], warnings: [warning] }))
  expect(inFolders(lists)).toEqual({
    items: [
      { ...own, folder: null },
      { ...ofProject, folder: '/a' },
      { ...ofProject, folder: '/b' },
    ],
    warnings: [warning],
  })
})

test('UI-31 a single folder is not named', () => {
  expect(inFolders([{ folder: '/a', items: [ofProject], warnings: [] }]).items).toEqual([
    { ...ofProject, folder: null },
  ])
  expect(inFolders([])).toEqual({ items: [], warnings: [] })
})
