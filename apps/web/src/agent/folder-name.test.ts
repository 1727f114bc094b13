import { expect, test } from 'vitest'
import { folderName, folderNames } from './folder-name.ts'

test.for([
  ['/home/ana/site', 'site'],
  ['/home/ana/site/', 'site'],
  ['C:\\work\\site', 'site'],
  ['/', '/'],
] as const)('SX-9 the folder %s is named %s', ([path, name]) => {
  expect(folderName(path)).toBe(name)
})

test('SX-9 folders with the same last name are named by their whole path', () => {
  expect(folderNames(['/a/site', '/b/site', '/c/notes'])).toEqual(['/a/site', '/b/site', 'notes'])
  expect(folderNames([])).toEqual([])
})
