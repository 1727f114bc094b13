import { expect, test } from 'vitest'
import { PROVIDER_LIMITS } from '../provider-limits.ts'
import { partCheck } from './part-data.ts'

test('SX-10 a stored text as long as a whole reply can be read', () => {
  const text = 'a'.repeat(PROVIDER_LIMITS.replyCharacters)
  for (const type of ['text', 'reasoning']) expect(partCheck(type)?.({ type, text })).toBeNull()
})
