import { expect, test } from 'vitest'
import { isContextOverflow } from './context-overflow.ts'

test('ST-4 limits of other kinds are not taken for a full window', () => {
  const others = [
    'Rate limit reached for tokens per minute',
    'max_tokens must be at least 1',
    'The model does not support images',
    'maximum number of images is 20',
    'Invalid value for temperature',
    'You exceeded your current quota',
    '',
  ]
  for (const words of others) expect(isContextOverflow(words), words).toBe(false)
})

test('ST-4 a full window is recognised in capitals and inside JSON', () => {
  expect(isContextOverflow('PROMPT IS TOO LONG: 3 TOKENS > 2 MAXIMUM')).toBe(true)
  expect(isContextOverflow('{"error":{"code":"context_length_exceeded","message":"…"}}')).toBe(true)
})
