import { expect, test } from 'vitest'
import type { ChatPart, MessageMetadata } from '../domain/message/message.ts'
import { outsideText } from './outside-text.ts'

const call = (name: string, state = 'output-available', over: object = {}) =>
  ({ type: `tool-${name}`, toolCallId: 'c', state, input: {}, output: 'x', ...over }) as ChatPart
const text: ChatPart = { type: 'text', text: 'hello' }

type Place = 'visible' | 'reply'

function reasonFor(
  part: ChatPart,
  {
    place = 'visible',
    metadata = {},
    session = {},
  }: { place?: Place; metadata?: object; session?: object } = {},
): string | null {
  const message = {
    metadata: { schemaVersion: 1, createdAt: 0, ...metadata } as MessageMetadata,
    parts: [],
  }
  const recorder = { message: { parts: place === 'reply' ? [part] : [] } }
  // Only these fields are read.
  const thread = { earlier: place === 'visible' ? [part] : [] }
  const context = { visible: [message], thread, session: { metadata: session }, recorder } as never
  const verdict = outsideText(context)
  if (verdict !== null) expect(verdict.action).toBe('ask')
  return verdict?.reason ?? null
}

const INSIDE = ['todo', 'question', 'read', 'write', 'edit', 'glob', 'grep', 'skill']
const MEMORY = ['memory_write', 'memory_read', 'memory_list', 'memory_delete']

test('ME-1 what only tools of the workspace and the conversation returned is remembered without a question', () => {
  for (const place of ['visible', 'reply'] as const) {
    expect(reasonFor(text, { place })).toBeNull()
    for (const name of [...INSIDE, ...MEMORY]) expect(reasonFor(call(name), { place })).toBeNull()
  }
})

test('ME-1 text from the web, a command, a subagent, an MCP server or an unknown tool makes it ask, with the tool’s name', () => {
  for (const place of ['visible', 'reply'] as const) {
    for (const name of ['web_fetch', 'web_search', 'bash', 'task', 'mcp_files_read', 'reads', 'Read'])
      expect(reasonFor(call(name), { place })).toContain(`read text from ${name},`)
    expect(reasonFor(call('bash', 'output-error'), { place })).toContain('bash')
  }
})

test('ME-1 a dynamic tool is outside, also under the name of one that is inside', () => {
  const dynamic = call('', 'output-available', { type: 'dynamic-tool', toolName: 'read' })
  expect(reasonFor(dynamic)).toContain('read text from read,')
})

test('ME-1 a call that has returned nothing makes it ask for nothing', () => {
  for (const state of [
    'input-streaming',
    'input-available',
    'approval-requested',
    'approval-responded',
    'output-denied',
  ])
    for (const place of ['visible', 'reply'] as const)
      expect(reasonFor(call('web_fetch', state), { place })).toBeNull()
})

test('ME-1 a summary makes it ask, and so does what another agent has asked for; the tool is named first', () => {
  expect(reasonFor(text, { metadata: { compactionId: 'op' } })).toContain('read text from a summary,')
  const session = { subagent: { ancestors: [] } }
  expect(reasonFor(text, { session })).toContain('the agent that started this one')
  expect(reasonFor(text, { session: { ephemeral: true } })).toBeNull()
  expect(reasonFor(text, { metadata: { compactionId: 'op' }, session })).toContain('a summary')
  expect(reasonFor(call('bash'), { metadata: { compactionId: 'op' }, session })).toContain('from bash')
})
