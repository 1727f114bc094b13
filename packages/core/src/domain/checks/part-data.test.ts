import { expect, test } from 'vitest'
import { IMPORT_LIMITS } from '../limits.ts'
import { PROVIDER_LIMITS } from '../model/provider-limits.ts'
import { partCheck } from './part-data.ts'

test.for(['text', 'reasoning'])('SX-12 a part of type %s that is a whole reply can be imported', (type) => {
  const text = '\n'.repeat(PROVIDER_LIMITS.replyCharacters)
  expect(partCheck(type)?.({ type, text })).toBeNull()
  // A row of lines of 40 characters or more is JSON inside JSON.
  const perLine = JSON.stringify(JSON.stringify('\n')).length - JSON.stringify(JSON.stringify('')).length
  expect((PROVIDER_LIMITS.replyCharacters * (40 + perLine)) / 40).toBeLessThan(IMPORT_LIMITS.rowCharacters)
})
