import type { WindowContent } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentRows } from './content-rows.ts'

const nothing: WindowContent = {
  instructions: 0,
  summary: 0,
  prompts: 0,
  replies: 0,
  reasoning: 0,
  tools: 0,
  files: 0,
}
const content: WindowContent = { ...nothing, instructions: 900, prompts: 100, tools: 1_000 }

test('UI-14 counted kinds have their counts, kinds without tokens are left out', () => {
  const counted = [
    { kind: 'instructions', tokens: 900 },
    { kind: 'prompts', tokens: 100 },
    { kind: 'tools', tokens: 1_000 },
  ]
  expect(contentRows(content, 2_000, false)).toEqual(counted)
  expect(contentRows(content, 2_000, true)).toEqual(counted)
})

test('UI-14 what has come since the kinds were counted is the reply that is being written', () => {
  expect(contentRows(content, 2_250, true).at(-1)).toEqual({ kind: 'writing', tokens: 250 })
  expect(contentRows(nothing, 40, true)).toEqual([{ kind: 'writing', tokens: 40 }])
})

test('UI-14 while nothing is written, the kinds share what the window has gained or lost since', () => {
  expect(contentRows(content, 1_000, false).map(({ tokens }) => tokens)).toEqual([450, 50, 500])
  expect(contentRows(content, 4_000, false).map(({ tokens }) => tokens)).toEqual([1_800, 200, 2_000])
})

test('UI-14 what the window is made of always adds up to what is used, and no part is less than nothing', () => {
  const tokens = fc.nat(90_000)
  const kinds = fc.record<WindowContent>({
    instructions: tokens,
    summary: tokens,
    prompts: tokens,
    replies: tokens,
    reasoning: tokens,
    tools: tokens,
    files: tokens,
  })
  fc.assert(
    fc.property(kinds, fc.nat(500_000), fc.boolean(), (held, used, writing) => {
      const rows = contentRows(held, used, writing)
      expect(rows.every(({ tokens }) => tokens > 0)).toBe(true)
      expect(rows.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(used)
    }),
  )
})
