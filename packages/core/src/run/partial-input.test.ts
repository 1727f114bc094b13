import { parsePartialJson } from 'ai'
import { expect, test, vi } from 'vitest'
import type { ChatPart } from '../domain/message/message.ts'
import { createGrowingInputs, withParsedInput } from './partial-input.ts'

vi.mock('ai', async (original) => {
  const ai = await original<typeof import('ai')>()
  return { ...ai, parsePartialJson: vi.fn(ai.parsePartialJson) }
})

const call = (rawInput: string) =>
  ({ type: 'tool-todo', toolCallId: 'c1', state: 'input-streaming', input: undefined, rawInput }) as ChatPart
const inputOf = (part: ChatPart) => ('input' in part ? part.input : undefined)

test('SX-10 growing arguments are parsed in time that is linear in their length', async () => {
  const inputs = createGrowingInputs()
  const parse = vi.mocked(parsePartialJson)
  parse.mockClear()
  const whole = JSON.stringify({ list: Array.from({ length: 80_000 }, (_, index) => `item ${index}`) })
  for (let length = 20; length < whole.length; length += 200)
    await inputs.withInput(call(whole.slice(0, length)))
  const parsed = parse.mock.calls.reduce((sum, [text]) => sum + (text?.length ?? 0), 0)
  expect(whole.length).toBeGreaterThan(900_000)
  expect(parsed).toBeLessThan(whole.length)
})

test('SX-10 between two parses the earlier input stays, and short arguments are always up to date', async () => {
  const inputs = createGrowingInputs()
  expect(inputOf(await inputs.withInput(call('{"a": 1, "b": "x')))).toEqual({ a: 1, b: 'x' })
  const text = 'x'.repeat(5_000)
  expect(inputOf(await inputs.withInput(call(`{"a": "${text}`)))).toEqual({ a: text })
  expect(inputOf(await inputs.withInput(call(`{"a": "${text}yz`)))).toEqual({ a: text })
  expect(inputOf(await withParsedInput(call(`{"a": "${text}yz`)))).toEqual({ a: `${text}yz` })
})

test('SX-10 arguments on their way that are nested too deep stay a text', async () => {
  const part = call(`{"a": ${'['.repeat(65)}`)
  expect(await withParsedInput(part)).toBe(part)
  expect(await createGrowingInputs().withInput(part)).toBe(part)
})
