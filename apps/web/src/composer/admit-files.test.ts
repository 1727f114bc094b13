import { LIMITS } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { admitFiles } from './admit-files.ts'

const file = (name: string, size = 10, type = 'text/plain') => ({ name, size, type })

test('UI-12 files that fit are taken as they come', () => {
  const chosen = [file('a.png'), file('b.pdf', 100)]
  expect(admitFiles(chosen, 0, 100)).toEqual({ admitted: chosen, complaints: [] })
})

test('AP-4 a file that is too large, and one too many, are left out with the reason', () => {
  const chosen = [file('large.bin', 101), file('a'), file('b')]
  const { admitted, complaints } = admitFiles(chosen, LIMITS.filesPerMessage - 1, 100)
  expect(admitted).toEqual([file('a')])
  expect(complaints).toHaveLength(2)
  expect(complaints[0]).toContain('large.bin')
})

test('UI-33 a picture of any size is taken: it is scaled down', () => {
  const photo = file('photo.jpg', 1_000, 'image/jpeg')
  expect(admitFiles([photo], 0, 100)).toEqual({ admitted: [photo], complaints: [] })
})
