import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redact } from './redact.ts'

test('MO-6 keys of every common shape are removed from what a provider says', () => {
  const keys = [
    'sk-proj-abcDEF123456',
    'sk-ant-api03-abcdefgh',
    'AIzaSyA1234567890abcdef',
    'gsk_abcdef123456',
    'xai-abcdef123456',
  ]
  for (const key of keys)
    expect(redact(`Your key ${key} is not valid`)).toBe('Your key [removed] is not valid')
  expect(redact('Authorization: Bearer abc.def.ghi')).not.toContain('abc.def')
  expect(redact('{"api_key": "hunter2"}')).not.toContain('hunter2')
})

test('MO-6 an address keeps its place and loses its query and its user', () => {
  expect(redact('See https://u:p@example.com/a/b?key=1#x for more')).toBe(
    'See https://example.com/a/b for more',
  )
})

test('MO-6 ids of models are not taken for keys', () => {
  expect(redact('The model claude-haiku-4-5-20251001 is gone')).toBe(
    'The model claude-haiku-4-5-20251001 is gone',
  )
})

test('MO-6 an error is shown as one line of at most 300 characters', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2_000 }), (words) => {
      const shown = redact(words)
      expect(shown.length).toBeLessThanOrEqual(300)
      expect(shown).not.toMatch(/[\n\r]/)
    }),
  )
})
