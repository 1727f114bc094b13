import type { ChatPart } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toolCall } from '../testing/samples.ts'
import type { ToolPart } from '../tool/tool-part.ts'
import { type Block, groupParts } from './group-parts.ts'
import { sameBlock } from './same-block.ts'

const blockOf = (...parts: ChatPart[]): Block => {
  const [block] = groupParts(parts)
  if (block === undefined) throw new Error('These parts make no block.')
  return block
}
const call = toolCall('read', { path: 'a.md' })
const base = { type: 'dynamic-tool', toolName: 'read', toolCallId: 'call-read' } as const

test('UI-8 an equal copy of a text or of thoughts is not drawn again, more of it is', () => {
  for (const type of ['text', 'reasoning'] as const) {
    expect(sameBlock(blockOf({ type, text: 'One' }), blockOf({ type, text: 'One' }))).toBe(true)
    expect(sameBlock(blockOf({ type, text: 'One' }), blockOf({ type, text: 'One t' }))).toBe(false)
  }
  expect(sameBlock(blockOf({ type: 'text', text: 'A' }), blockOf({ type: 'reasoning', text: 'A' }))).toBe(
    false,
  )
})

test('UI-8 calls are drawn again when one joins or comes further', () => {
  const done = toolCall('read', { path: 'a.md' }, 'ok')
  expect(sameBlock(blockOf(call), blockOf({ ...call }))).toBe(true)
  expect(sameBlock(blockOf(call), blockOf(done))).toBe(false)
  expect(sameBlock(blockOf(call), blockOf(call, toolCall('grep', {})))).toBe(false)
})

test('UI-9 a running call is drawn again once its subagent has a session', () => {
  const task = { type: 'tool-task', toolCallId: 'c', state: 'input-available', input: {} } as const
  const started = { ...task, toolMetadata: { session_id: 'ses_1' } }
  expect(sameBlock(blockOf(task), blockOf(started))).toBe(false)
  expect(sameBlock(blockOf(started), blockOf({ ...started }))).toBe(true)
})

test.each<[string, ToolPart, ToolPart]>([
  [
    'arguments that stream',
    { ...base, state: 'input-streaming', input: { path: 'a' } },
    { ...base, state: 'input-streaming', input: { path: 'a.md' } },
  ],
  [
    'an outcome that is not the last',
    { ...base, state: 'output-available', input: {}, output: 'a', preliminary: true },
    { ...base, state: 'output-available', input: {}, output: 'ab', preliminary: true },
  ],
])('UI-9 %s are drawn as they grow', (_, before, after) => {
  expect(sameBlock(blockOf(before), blockOf(after))).toBe(false)
})

test('UI-9 the last outcome takes the place of one before it', () => {
  const output = { ...base, state: 'output-available', input: {}, output: 'a' } as const
  expect(sameBlock(blockOf({ ...output, preliminary: true }), blockOf({ ...output, output: 'all' }))).toBe(
    false,
  )
})

test('UI-10 every part that is shown is in one block, in the order in which it was said', () => {
  const part = fc.constantFrom<ChatPart>(
    { type: 'text', text: 'a' },
    { type: 'text', text: ' ' },
    { type: 'reasoning', text: 'b' },
    { type: 'step-start' },
    { type: 'file', mediaType: 'text/plain', url: 'data:,' },
    { type: 'source-url', sourceId: 's', url: 'https://example.org' },
    toolCall('read', {}),
    toolCall('todo', {}),
    { type: 'data-unreadable', data: {} },
  )
  const size = (block: Block) =>
    block.kind === 'tools'
      ? block.calls.length
      : block.kind === 'files' || block.kind === 'sources'
        ? block.parts.length
        : 1
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const blocks = groupParts(parts)
      const shown = parts.filter(
        (entry) => entry.type !== 'step-start' && !(entry.type === 'text' && entry.text.trim() === ''),
      )
      expect(blocks.reduce((sum, block) => sum + size(block), 0)).toBe(shown.length)
      const places = blocks.map(({ index }) => index)
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      expect(new Set(places).size).toBe(places.length)
    }),
  )
})

test('UI-8 a block is always the same as itself from an equal message', () => {
  const part = fc.constantFrom<ChatPart>(
    { type: 'text', text: 'a' },
    { type: 'file', mediaType: 'text/plain', url: 'data:,' },
    { type: 'steering-message', id: 's', parts: [{ type: 'text', text: 'x' }] },
    { type: 'data-unreadable', data: {} },
    toolCall('read', {}),
    toolCall('todo', {}, 'ok'),
  )
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const copy = groupParts(structuredClone(parts))
      for (const [at, block] of groupParts(parts).entries()) {
        const same = copy[at]
        expect(same !== undefined && sameBlock(block, same)).toBe(true)
      }
    }),
  )
})
