import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { createPartCutter, TEXT_PART_CHARACTERS } from './cut-parts.ts'

const FULL = 'a'.repeat(TEXT_PART_CHARACTERS)
const item = { openai: { itemId: 'msg_1' } }

function cutAll(parts: LanguageModelV4StreamPart[]) {
  const cut = createPartCutter()
  return parts.flatMap(cut)
}

test('SX-10 a text that is continued as another part keeps its provider metadata at the first one', () => {
  const parts = cutAll([
    { type: 'text-start', id: '1', providerMetadata: item },
    { type: 'text-delta', id: '1', delta: FULL },
    { type: 'text-delta', id: '1', delta: 'b' },
    { type: 'text-end', id: '1', providerMetadata: item },
  ])
  const framing = parts.filter(({ type }) => type !== 'text-delta')
  expect(framing).toEqual([
    { type: 'text-start', id: '1', providerMetadata: item },
    { type: 'text-end', id: '1' },
    { type: 'text-start', id: '1' },
    { type: 'text-end', id: '1' },
  ])
})

test('SX-10 arguments and thoughts of any length stay one part, in pieces', () => {
  const [start, ...pieces] = cutAll([
    { type: 'reasoning-start', id: '1' },
    { type: 'reasoning-delta', id: '1', delta: FULL },
    { type: 'tool-input-delta', id: '2', delta: FULL },
  ])
  expect(start).toEqual({ type: 'reasoning-start', id: '1' })
  const texts = pieces.map((part) => ('delta' in part ? part.delta : ''))
  expect(texts.join('') === FULL + FULL).toBe(true)
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(131_072)
})

test('RU-8 parts within the bounds are passed on as they are', () => {
  const end = { type: 'text-end', id: '1', providerMetadata: item } as const
  const delta = { type: 'text-delta', id: '1', delta: 'Hi', providerMetadata: item } as const
  expect(cutAll([delta, end])).toEqual([delta, end])
})
