import type { ModelMessage } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cachedInstructions, cachedMessages } from './cache-breakpoints.ts'

const message = fc.constantFrom<ModelMessage>(
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello' },
  { role: 'tool', content: [] },
)
const isMarked = ({ providerOptions }: { providerOptions?: unknown }) => providerOptions !== undefined

test('SY-5 whatever the messages, at most four marks are set, none in a reminder, and nothing else changes', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 12 }),
      fc.nat(2),
      fc.string(),
      fc.nat(20),
      (said, count, prompt, at) => {
        const reminders = Array.from(
          { length: count },
          (): ModelMessage => ({ role: 'user', content: 'note' }),
        )
        const marked = cachedMessages([...said, ...reminders], count, 'anthropic')
        const system = cachedInstructions(prompt, at, 'anthropic')
        const pieces = typeof system === 'string' ? [] : system
        expect(marked.filter(isMarked).length + pieces.filter(isMarked).length).toBeLessThanOrEqual(4)
        expect(marked.slice(said.length).some(isMarked)).toBe(false)
        expect(marked.map(({ role, content }) => ({ role, content }))).toEqual([...said, ...reminders])
      },
    ),
  )
})

test('SY-5 the system prompt in two pieces is the same text', () => {
  expect(cachedInstructions('stable rest', 7, 'anthropic')).toMatchObject([
    { role: 'system', content: 'stable ' },
    { role: 'system', content: 'rest' },
  ])
  expect(cachedInstructions('', 0, 'anthropic')).toBe('')
})

test('SY-5 other providers get no marks', () => {
  const messages: ModelMessage[] = [{ role: 'user', content: 'Hi' }]
  expect(cachedMessages(messages, 0, 'openai-chat')).toEqual(messages)
  expect(cachedInstructions('prompt', 3, 'google')).toBe('prompt')
})
