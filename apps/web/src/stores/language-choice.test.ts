import { expect, test } from 'vitest'
import { acceptedLanguages, languageOf, readLanguageChoice } from './language-choice.ts'

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', ['de-AT', 'de', 'en'], 'de'],
  ['en;q=0.3, de;q=0.7', ['de', 'en'], 'de'],
  ['fr, en-GB;q=0.5, de;q=0.4', ['fr', 'en-GB', 'de'], 'en'],
  ['de;q=0, en', ['en'], 'en'],
  ['fr', ['fr'], 'en'],
  ['', [], 'en'],
  [null, [], 'en'],
  [';;q=,;q=x', [], 'en'],
] as const)(
  'UI-25 of the languages %j the page takes the preferred one that it has',
  (header, tags, language) => {
    expect(acceptedLanguages(header)).toEqual(tags)
    expect(languageOf('system', acceptedLanguages(header))).toBe(language)
  },
)

test('UI-25 a choice counts more than the browser, and what is none is the browser’s', () => {
  expect(languageOf('en', ['de'])).toBe('en')
  expect(languageOf('de', ['en'])).toBe('de')
  expect(['de', 'en', 'system', 'fr', undefined].map(readLanguageChoice)).toEqual([
    'de',
    'en',
    'system',
    'system',
    'system',
  ])
})
