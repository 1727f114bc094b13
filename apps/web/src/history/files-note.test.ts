import { expect, test } from 'vitest'
import { filesNote } from './files-note.ts'

test('RW-5 after a rewind a reader is told of files that moved, and of files that could not', () => {
  expect(filesNote(undefined)).toBeNull()
  expect(filesNote({ count: 0 })).toBeNull()
  expect(filesNote({ count: 1 })).toEqual({ message: '1 file is restored.' })
  expect(filesNote({ count: 3, failed: true })).toMatchObject({ tone: 'error' })
})
