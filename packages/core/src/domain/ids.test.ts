import { expect, test } from 'vitest'
import { CLIENT_ID_PATTERN, createId } from './ids.ts'

test('ID-1 ids carry their prefix, are alike in shape and never repeat', () => {
  const ids = Array.from({ length: 2_000 }, () => createId('msg'))
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
})

test('ID-1 an id made here may come back from a client', () => {
  expect(createId('ses')).toMatch(CLIENT_ID_PATTERN)
})
