import { LIMITS } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { readFiles } from './read-files.ts'

test('UI-12 an attached file becomes a data URL of its bytes', async () => {
  const { files, complaints } = await readFiles([new File(['hello'], 'a.txt', { type: 'text/plain' })], 0)
  expect(complaints).toEqual([])
  expect(files).toMatchObject([
    { name: 'a.txt', mediaType: 'text/plain', url: 'data:text/plain;base64,aGVsbG8=' },
  ])
})

test('AP-4 a file that is too large, or one too many, is left out by name', async () => {
  const large = new File([new Uint8Array(1_200_000)], 'large.bin')
  const small = new File(['x'], 'small.txt', { type: 'text/plain' })
  const { files, complaints } = await readFiles([large, small, small], LIMITS.filesPerMessage - 2)
  expect(files.map(({ name }) => name)).toEqual(['small.txt'])
  expect(complaints).toHaveLength(2)
  expect(complaints[0]).toContain('large.bin')
})
