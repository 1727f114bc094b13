import fc from 'fast-check'
import { expect, test } from 'vitest'
import { de, german } from './de/de.ts'
import { quoted } from './de/german.ts'
import { en } from './en.ts'
import { createPlural, plural } from './plural.ts'
import { complete, missingKeys } from './translation.ts'

/** Texts that are the same word in both languages. */
const SAME =
  /^(Palimpsest|Chats?|System|Details|Version(en)?|Budget|Exit code|Text|Name|Code|Modus|optional|Agent|Alt|Esc)$/i

test('UI-25 no text of a component is missing in German', () => {
  expect(missingKeys(en, german)).toEqual([])
})

test('UI-25 hardly any German text is the English one', () => {
  const same: string[] = []
  const walk = (english: unknown, other: unknown, path: string) => {
    if (typeof english === 'string' && english === other && !SAME.test(english))
      same.push(`${path}: ${english}`)
    if (typeof english !== 'object' || english === null) return
    const theirs = new Map(Object.entries(other ?? {}))
    for (const [key, value] of Object.entries(english)) walk(value, theirs.get(key), `${path}.${key}`)
  }
  walk(en, de, 'en')
  expect(same).toEqual([])
})

test('UI-25 a catalogue with gaps is English there, and keeps what it has', () => {
  const english = { a: 'A', inner: { b: 'B', of: (name: string) => `of ${name}` } }
  const whole = complete(english, { inner: { of: (name) => `von ${name}` } })
  expect([whole.a, whole.inner.b, whole.inner.of('x')]).toEqual(['A', 'B', 'von x'])
  expect(complete(english, undefined)).toEqual(english)
  expect(missingKeys(english, { inner: { b: () => 'no text', of: () => '' } })).toEqual(['a', 'inner.b'])
})

test('UI-25 a catalogue of any gaps has a text of the right kind under every key', () => {
  const english = { a: 'A', inner: { b: 'B', c: 'C' } }
  const gaps = fc.record(
    { a: fc.string(), inner: fc.record({ b: fc.string(), c: fc.string() }, { requiredKeys: [] }) },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(gaps, (translation) => {
      expect(missingKeys(english, complete(english, translation))).toEqual([])
    }),
  )
})

test.each([
  ['en', 1, '1 message'],
  ['en', 0, '0 messages'],
  ['en', 1_200, '1,200 messages'],
  ['de', 1, '1 message'],
  ['de', 1_200, '1.200 messages'],
])('UI-25 in %s %i has the number and the digits of the language', (locale, count, text) => {
  expect(createPlural(locale)(count, 'message', 'messages')).toBe(text)
  if (locale === 'en') expect(plural(count, 'message', 'messages')).toBe(text)
})

test('UI-25 German texts count, quote and name as German does', () => {
  const { history, queue, meter } = de
  expect(history.tray.hidden(1, 1)).toBe('1 Nachricht ausgeblendet')
  expect(history.tray.hidden(12, 12)).toBe('12 Nachrichten ausgeblendet')
  expect(queue.heading(2)).toBe('2 Nachrichten eingereiht')
  expect(meter.text('21 %', '42k', '200k')).toBe('21 % belegt: 42k von 200k Token')
  expect(quoted('Say "hello"')).toBe('„Say ‚hello‘“')
})
