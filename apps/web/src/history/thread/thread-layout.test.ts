import type { ChatMessage, MessageMetadata } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { userMessage } from '../../testing/session-world.ts'
import { hiddenWhere, threadLayout } from './thread-layout.ts'

const message = (id: string, metadata: Partial<MessageMetadata> = {}): ChatMessage => ({
  ...userMessage(id),
  metadata: { schemaVersion: 1, createdAt: 0, ...metadata },
})

const hidden = (id: string, hiddenBy: string) => message(id, { hiddenBy })

const summary = (id: string, compactionId: string, tail: string, by?: string): ChatMessage => ({
  ...message(id, { summary: true, synthetic: true, compactionId, ...(by !== undefined && { hiddenBy: by }) }),
  role: 'assistant',
  parts: [{ type: 'data-compaction', data: { summary: 'So far', tail_start_id: tail, auto: true } }],
})

const layout = (loaded: ChatMessage[], revealed: string[] = [], own = ['c1', 'c2']) => {
  const { messages, traces, endTrace } = threadLayout({
    loaded,
    revealed: new Set(revealed),
    timeline: own.map((id) => ({ id })),
  })
  return { ids: messages.map(({ id }) => id).join(' '), traces: Object.fromEntries(traces), endTrace }
}

const REWOUND = [message('a'), hidden('b', 'op1'), hidden('c', 'op1'), message('d')]

test('UI-17 what a rewind hid leaves a trace at its place, and comes forward there', () => {
  const trace = { operationIds: ['op1'], count: 2, revealed: false }
  expect(layout(REWOUND)).toEqual({ ids: 'a d', traces: { d: trace }, endTrace: null })
  const revealed = { ...trace, revealed: true }
  expect(layout(REWOUND, ['op1'])).toEqual({ ids: 'a b c d', traces: { b: revealed }, endTrace: null })
})

test('UI-17 a rewind without a new message leaves its trace at the end', () => {
  const loaded = REWOUND.slice(0, 3)
  const trace = { operationIds: ['op1'], count: 2, revealed: false }
  expect(layout(loaded)).toEqual({ ids: 'a', traces: {}, endTrace: trace })
  expect(layout(loaded, ['op1'])).toMatchObject({ ids: 'a b c', endTrace: null })
})

test('UI-17 layers at one place make one trace', () => {
  const loaded = [message('a'), hidden('b', 'op1'), hidden('c', 'op2'), message('d')]
  expect(layout(loaded).traces).toEqual({ d: { operationIds: ['op1', 'op2'], count: 2, revealed: false } })
})

test.each([
  ['alone', [message('a'), hidden('b', 'op1'), message('c'), hidden('d', 'op2')], 1],
  ['at the end, over another', [message('a'), hidden('b', 'op2'), hidden('c', 'op1')], 2],
  ['between, over another', [message('a'), hidden('b', 'op2'), hidden('c', 'op1'), message('d')], 2],
  ['nowhere, being restored', [message('a'), hidden('b', 'op1')], 0],
])(
  'UI-29 of what the last rewind hid the tray counts all that is hidden at that place: %s',
  (_, loaded, count) => {
    expect(hiddenWhere(threadLayout({ loaded, revealed: new Set(), timeline: [] }), ['op2'])).toBe(count)
  },
)

test('UI-29 a trace at the first loaded messages is of more than they are, one after others is not', () => {
  const loaded = [hidden('b', 'op1'), message('c'), hidden('d', 'op2'), message('e')]
  const input = { loaded, revealed: new Set<string>(), timeline: [] }
  const partial = threadLayout({ ...input, partial: true })
  expect([...partial.traces.values()].map(({ more }) => more)).toEqual([true, undefined])
  expect([hiddenWhere(partial, ['op1']), hiddenWhere(partial, ['op2'])]).toEqual([0, 1])
  const whole = threadLayout(input)
  expect([...whole.traces.values()].map(({ more }) => more)).toEqual([undefined, undefined])
  expect(hiddenWhere(whole, ['op1'])).toBe(1)
})

test('UI-17 words that steered a reply leave no trace', () => {
  expect(layout([message('a'), hidden('s', 'run_1'), message('b')])).toEqual({
    ids: 'a b',
    traces: {},
    endTrace: null,
  })
})

const COMPACTED = [hidden('a', 'c1'), hidden('b', 'c1'), message('c'), message('d'), summary('s', 'c1', 'c')]

test('UI-21 a summary is placed before the messages that it did not replace, and opens to the others', () => {
  expect(layout(COMPACTED)).toEqual({ ids: 's c d', traces: {}, endTrace: null })
  expect(layout(COMPACTED, ['c1']).ids).toBe('a b s c d')
})

test('UI-21 a summary that was folded into the next opens inside it', () => {
  const loaded = [
    ...COMPACTED.slice(0, 2),
    hidden('c', 'c2'),
    hidden('d', 'c2'),
    summary('s', 'c1', 'c', 'c2'),
    message('e'),
    summary('t', 'c2', 'e'),
  ]
  expect(layout(loaded).ids).toBe('t e')
  expect(layout(loaded, ['c2']).ids).toBe('s c d t e')
  expect(layout(loaded, ['c2', 'c1']).ids).toBe('a b s c d t e')
})

test('UI-21 a new summary is at its place before its operation is known', () => {
  expect(layout(COMPACTED, [], []).ids).toBe('s c d')
})

test('UI-21 a summary whose place is further up than what is loaded waits for it', () => {
  expect(layout([message('d'), summary('s', 'c1', 'c')]).ids).toBe('d')
})

test('UI-21 the summary that a branch was created with comes first', () => {
  expect(layout([summary('s', 'c1', 'elsewhere'), message('x')], [], []).ids).toBe('s x')
})

test('UI-21 a summary that was taken back leaves no trace, and what it had hidden is read', () => {
  expect(layout([message('a'), message('c'), summary('s', 'c1', 'c', 'op3')])).toEqual({
    ids: 'a c',
    traces: {},
    endTrace: null,
  })
})

test('UI-17 what a rewind left summarised without its summary can still be brought forward', () => {
  const loaded = [message('a'), hidden('b', 'c1'), hidden('c', 'op3'), summary('s', 'c1', 'c', 'op3')]
  expect(layout(loaded).endTrace).toEqual({ operationIds: ['c1', 'op3'], count: 2, revealed: false })
})
