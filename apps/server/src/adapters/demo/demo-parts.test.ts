import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { demoParts } from './demo-parts.ts'
import type { DemoPlan } from './demo-plan.ts'

const words = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[ab \n]{0,40}$/))
const pace = fc.constantFrom('normal' as const, 'fast' as const, 'slow' as const)

const answer = (changes: Partial<DemoPlan & { type: 'answer' }>): DemoPlan & { type: 'answer' } => ({
  type: 'answer',
  reasoning: '',
  text: '',
  call: null,
  pace: 'normal',
  ...changes,
})

function partsOf(
  plan: DemoPlan & { type: 'answer' },
  maxCharacters = 1_000_000,
): LanguageModelV4StreamPart[] {
  return [...demoParts(plan, { input: { prompt: [] }, maxCharacters, id: 'a' })].map(({ part }) => part)
}

function deltasOf(
  parts: LanguageModelV4StreamPart[],
  type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta',
): string {
  return parts.map((part) => (part.type === type ? part.delta : '')).join('')
}

test('MO-5 no character is lost between the pieces of a stream, at any pace', () => {
  fc.assert(
    fc.property(words, words, pace, (reasoning, text, speed) => {
      const parts = partsOf(answer({ reasoning, text, pace: speed }))
      expect(deltasOf(parts, 'reasoning-delta')).toBe(reasoning)
      expect(deltasOf(parts, 'text-delta')).toBe(text)
    }),
  )
})

test('MO-5 an answer never has more characters than it may, and says when it was cut', () => {
  fc.assert(
    fc.property(words, words, fc.nat({ max: 60 }), (reasoning, text, maxCharacters) => {
      const parts = partsOf(answer({ reasoning, text }), maxCharacters)
      const length = deltasOf(parts, 'reasoning-delta').length + deltasOf(parts, 'text-delta').length
      expect(length).toBe(Math.min(maxCharacters, reasoning.length + text.length))
      const finish = parts.find((part) => part.type === 'finish')
      expect(finish?.finishReason.unified).toBe(
        reasoning.length + text.length > maxCharacters ? 'length' : 'stop',
      )
    }),
  )
})

test('MO-5 the input of a tool call streams in pieces that make up the call', () => {
  const input = { todos: [{ content: 'one two three', status: 'pending' }] }
  const parts = partsOf(answer({ call: { toolName: 'todo', input } }))
  const call = parts.find((part) => part.type === 'tool-call')
  expect(JSON.parse(deltasOf(parts, 'tool-input-delta'))).toEqual(input)
  expect(call).toMatchObject({ toolName: 'todo', input: JSON.stringify(input) })
  expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls' } })
})

test('MO-5 every part that opens is closed, under one id', () => {
  const parts = partsOf(answer({ reasoning: 'hm', text: 'so', call: { toolName: 'todo', input: {} } }))
  expect(parts.map((part) => part.type)).toEqual([
    'stream-start',
    'reasoning-start',
    'reasoning-delta',
    'reasoning-end',
    'text-start',
    'text-delta',
    'text-end',
    'tool-input-start',
    'tool-input-delta',
    'tool-input-end',
    'tool-call',
    'finish',
  ])
})
