import { expect, test } from 'vitest'
import { filesNote } from './files-note.ts'

test('RW-5 after a rewind the note names files that could not be moved, and moved ones that no tray shows', () => {
  expect(filesNote({ hidden: 0 })).toBeNull()
  expect(filesNote({ hidden: 0, files: { count: 0 } })).toBeNull()
  expect(filesNote({ hidden: 0, files: { count: 1 } })).toEqual({ message: '1 file is restored.' })
  expect(filesNote({ hidden: 2, files: { count: 1 } })).toBeNull()
  expect(filesNote({ hidden: 2, files: { count: 3, failed: true } })).toMatchObject({
    tone: 'error',
    asks: true,
  })
})

test('RW-12 after an operation the note counts the files that somebody else had changed and that stayed', () => {
  const fates = [
    { path: 'a', fate: 'conflict' },
    { path: 'b', fate: 'restored' },
  ] as const
  expect(filesNote({ hidden: 2, files: { count: 1, fates } })).toEqual({
    message: '1 file was changed by somebody else and stayed.',
    asks: true,
  })
})
