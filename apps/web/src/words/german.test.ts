import { missingKeys } from '@palimpsest/ui/de'
import { afterEach, expect, test } from 'vitest'
import { alonePages } from './alone.ts'
import { translations } from './de/index.ts'
import { words } from './en.ts'
import { agentWords } from './en-agent.ts'
import { attentionWords } from './en-attention.ts'
import { historyWords } from './en-history.ts'
import { inspectWords } from './en-inspect.ts'
import { memoryWords } from './en-memories.ts'
import { settingsWords } from './en-settings.ts'
import { sourceWords } from './en-sources.ts'
import { inLanguage, setTranslations } from './in-language.ts'

afterEach(() => setTranslations({}))

test.each([
  ['page', words, translations.page],
  ['history', historyWords, translations.history],
  ['settings', settingsWords, translations.settings],
  ['agent', agentWords, translations.agent],
  ['attention', attentionWords, translations.attention],
  ['sources', sourceWords, translations.sources],
  ['memories', memoryWords, translations.memories],
  ['inspect', inspectWords, translations.inspect],
] as const)('UI-25 no text of %s is missing in German', (_, english, german) => {
  expect(missingKeys(english, german)).toEqual([])
})

test('UI-25 texts are read in the language that is set, also through a part that was taken before', () => {
  const { general } = settingsWords
  const { sendKeys } = general
  expect([general.save, sendKeys.enter, words.delete]).toEqual(['Save', 'Enter sends', 'Delete'])
  setTranslations(translations)
  expect([general.save, sendKeys.enter, words.delete]).toEqual(['Speichern', 'Enter sendet', 'Löschen'])
  expect(Object.entries(settingsWords.sections)[0]).toEqual(['models', 'Modelle'])
  expect(words.deleteWithBranches(2)).toBe('Mit 2 Zweigen löschen')
  setTranslations({})
  expect(general.save).toBe('Save')
})

test('UI-25 a text that a language lacks, or has as another kind, is English', () => {
  const english = inLanguage('page', { a: 'A', b: 'B', inner: { c: (count: number) => `${count}` } })
  setTranslations({ page: { b: () => 'no text', inner: 'no record' } })
  expect([english.a, english.b, english.inner.c(2)]).toEqual(['A', 'B', '2'])
  setTranslations({ page: null })
  expect(english.a).toBe('A')
})

test('UI-25 pages that load alone have both languages', () => {
  expect(alonePages('de').pages.notFound.home).toBe('Neuen Chat beginnen')
  expect(alonePages('fr').pages.notFound.home).toBe('Start a new chat')
  expect(alonePages('de').failed).not.toBe(alonePages('en').failed)
})
