import type { ChatMessage } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { userMessage } from '../testing/session-world.ts'
import { joinNewestPage, placeMessage, prependPage, withoutMessages } from './messages.ts'

const metadata = (runId?: string) => ({ schemaVersion: 1, createdAt: 0, ...(runId && { runId }) }) as const
const prompt = (id: string, runId?: string): ChatMessage => ({
  ...userMessage(id),
  metadata: metadata(runId),
})
const reply = (id: string, runId?: string): ChatMessage => ({ ...prompt(id, runId), role: 'assistant' })
const ids = (messages: readonly ChatMessage[]) => messages.map(({ id }) => id).join(' ')
const list = (letters: string) => [...letters].map((letter) => prompt(letter))

test('AP-2 a message that is there already takes its own place again', () => {
  const messages = placeMessage(list('abc'), { ...prompt('b'), role: 'assistant' })
  expect(ids(messages)).toBe('a b c')
  expect(messages[1]?.role).toBe('assistant')
})

test('AP-2 the message that started a run comes before its reply, whichever event arrives first', () => {
  const [question, answer] = [prompt('q', 'run_1'), reply('r', 'run_1')]
  const before = list('a')
  expect(ids(placeMessage(placeMessage(before, question), answer))).toBe('a q r')
  expect(ids(placeMessage(placeMessage(before, answer), question))).toBe('a q r')
})

test('AP-2 a message without a run, or whose run has no reply yet, goes to the end', () => {
  const before = [prompt('q', 'run_1'), reply('r', 'run_1')]
  expect(ids(placeMessage(before, prompt('x')))).toBe('q r x')
  expect(ids(placeMessage(before, prompt('x', 'run_2')))).toBe('q r x')
})

test('AP-2 a fresh page joins what is loaded above its first message', () => {
  expect(joinNewestPage(list('abcd'), list('cde'))).toMatchObject({ joined: true })
  expect(ids(joinNewestPage(list('abcd'), list('cde')).messages)).toBe('a b c d e')
})

test('AP-2 a fresh page that overlaps none of the loaded messages replaces them', () => {
  const { messages, joined } = joinNewestPage(list('abc'), list('xyz'))
  expect([ids(messages), joined]).toEqual(['x y z', false])
  expect(joinNewestPage(list('abc'), []).joined).toBe(false)
})

const letters = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 10 })

test('LS-5 whatever pages join, no message is there twice', () => {
  fc.assert(
    fc.property(letters, letters, letters, (loaded, page, older) => {
      const { messages } = joinNewestPage(list(loaded.join('')), list(page.join('')))
      const all = prependPage(messages, list(older.join('')))
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
      expect(ids(messages).endsWith(page.join(' '))).toBe(true)
      expect(ids(all).endsWith(ids(messages))).toBe(true)
    }),
  )
})

test('UI-8 a list from which nothing is taken stays the one it was, so that nothing is drawn again', () => {
  const messages = list('ab')
  expect(withoutMessages(messages, new Set(['x']))).toBe(messages)
  expect(ids(withoutMessages(messages, new Set(['a'])))).toBe('b')
})
