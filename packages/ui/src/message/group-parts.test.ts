import type { ChatPart } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { toolCall } from '../testing/samples.ts'
import { toolState, toolTarget } from '../tool/tool-part.ts'
import { groupParts } from './group-parts.ts'

const kinds = (parts: ChatPart[]) => groupParts(parts).map((block) => block.kind)

test('UI-9 consecutive calls group, across step marks, and text parts them', () => {
  const parts: ChatPart[] = [
    toolCall('read', {}),
    { type: 'step-start' },
    toolCall('grep', {}),
    { type: 'text', text: 'So' },
    toolCall('bash', {}),
  ]
  const blocks = groupParts(parts)
  expect(blocks.map((block) => block.kind)).toEqual(['tools', 'text', 'tools'])
  expect(blocks[0]).toMatchObject({ index: 0, calls: [{ index: 0 }, { index: 2 }] })
})

test('UI-9 only the newest to-do list is a block of its own', () => {
  expect(kinds([toolCall('todo', {}), toolCall('read', {}), toolCall('todo', {})])).toEqual(['tools', 'todo'])
})

test('UI-10 empty text and parts of an unknown type are left out', () => {
  const future = { type: 'data-hologram', data: {} } as const
  expect(kinds([{ type: 'text', text: ' ' }, { type: 'reasoning', text: '' }, future])).toEqual([])
})

test('UI-21 a summary that the provider made itself is a line of its own, not words of the reply', () => {
  const content = 'They spoke of ink.'
  const anthropic = { type: 'compaction', content }
  const parts: ChatPart[] = [
    { type: 'custom', kind: 'anthropic.compaction', providerMetadata: { anthropic } },
    { type: 'custom', kind: 'openai.compaction', providerMetadata: { openai: { encryptedContent: 'x' } } },
    { type: 'text', text: content, providerMetadata: { anthropic: { type: 'compaction' } } },
  ]
  expect(groupParts(parts)).toEqual([
    { kind: 'summarised', index: 0, summary: content },
    { kind: 'summarised', index: 1, summary: '' },
    { kind: 'summarised', index: 2, summary: content },
  ])
})

test('UI-10 a part that the store could not read is shown as such', () => {
  expect(groupParts([{ type: 'data-unreadable', data: { raw: '{' } }])).toEqual([
    { kind: 'unreadable', index: 0, data: { raw: '{' } },
  ])
})

test('UI-15 text that was added to a running reply is shown in it where it was added', () => {
  const parts: ChatPart[] = [
    toolCall('read', {}),
    { type: 'steering-message', id: 'm', parts: [{ type: 'text', text: 'Shorter' }] },
    toolCall('bash', {}),
  ]
  expect(kinds(parts)).toEqual(['tools', 'steering', 'tools'])
})

test('UI-9 a call that a finished message left open is stopped', () => {
  expect(toolState(toolCall('bash', {}), true)).toBe('running')
  expect(toolState(toolCall('bash', {}), false)).toBe('stopped')
  expect(toolState(toolCall('bash', {}, 'ok'), false)).toBe('done')
})

test('UI-9 a call names what it touches when its arguments tell', () => {
  expect(toolTarget(toolCall('read', { limit: 3, path: 'a.md' }))).toBe('a.md')
  expect(toolTarget(toolCall('odd', { depth: 3 }))).toBe('')
})
