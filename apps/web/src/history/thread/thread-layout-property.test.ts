import type { ChatMessage } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { userMessage } from '../../testing/session-world.ts'
import { hiddenWhere, type ThreadLayout, threadLayout } from './thread-layout.ts'

const REWINDS = ['op_1', 'op_2', 'op_3']

/** A thread in which each message is visible, hidden by a rewind, or was steering words of a run. */
const threads = fc
  .array(fc.option(fc.constantFrom(...REWINDS, 'run_1'), { nil: undefined }), { maxLength: 14 })
  .map((list) =>
    list.map(
      (hiddenBy, at): ChatMessage => ({
        ...userMessage(`m${at}`),
        metadata: { schemaVersion: 1, createdAt: at, ...(hiddenBy !== undefined && { hiddenBy }) },
      }),
    ),
  )
const revelations = fc.subarray(REWINDS)

const layOut = (loaded: readonly ChatMessage[], revealed: readonly string[]) =>
  threadLayout({ loaded, revealed: new Set(revealed), timeline: [] })
const hiddenBy = ({ metadata }: ChatMessage) => metadata?.hiddenBy
const tracesOf = ({ traces, endTrace }: ThreadLayout) => [
  ...traces.values(),
  ...(endTrace === null ? [] : [endTrace]),
]

test('UI-17 whatever is hidden, the visible messages and those that were asked for are shown, once and in order', () => {
  fc.assert(
    fc.property(threads, revelations, (loaded, revealed) => {
      const shown = loaded.filter((message) => {
        const by = hiddenBy(message)
        return by === undefined || revealed.includes(by)
      })
      expect(layOut(loaded, revealed).messages).toEqual(shown)
    }),
  )
})

test('UI-17 each message that a rewind hid is counted by one trace, and no other message by any', () => {
  fc.assert(
    fc.property(threads, revelations, (loaded, revealed) => {
      const counted = tracesOf(layOut(loaded, revealed)).reduce((sum, { count }) => sum + count, 0)
      expect(counted).toBe(loaded.filter((message) => hiddenBy(message)?.startsWith('op_')).length)
    }),
  )
})

test('UI-17 a trace is before a message that is shown, and only the last one at the end', () => {
  fc.assert(
    fc.property(threads, revelations, (loaded, revealed) => {
      const { messages, traces, endTrace } = layOut(loaded, revealed)
      const shown = new Set(messages.map(({ id }) => id))
      for (const id of traces.keys()) expect(shown).toContain(id)
      const last = loaded.findLast((message) => !hiddenBy(message)?.startsWith('run_'))
      const by = last === undefined ? undefined : hiddenBy(last)
      if (by === undefined) expect(endTrace).toBeNull()
    }),
  )
})

test('UI-17 a trace is open when all that it counts is shown, and names each operation once', () => {
  fc.assert(
    fc.property(threads, revelations, (loaded, revealed) => {
      for (const trace of tracesOf(layOut(loaded, revealed))) {
        expect(trace.revealed).toBe(trace.operationIds.every((id) => revealed.includes(id)))
        expect(new Set(trace.operationIds).size).toBe(trace.operationIds.length)
        expect(trace.operationIds.length).toBeLessThanOrEqual(trace.count)
        expect(trace.count).toBeGreaterThan(0)
      }
    }),
  )
})

test('UI-17 to show what is hidden at one place and hide it again leaves the thread as it was', () => {
  fc.assert(
    fc.property(threads, (loaded) => {
      const before = layOut(loaded, [])
      for (const { operationIds, count } of tracesOf(before)) {
        const open = layOut(loaded, operationIds)
        expect(open.messages.length).toBeGreaterThanOrEqual(before.messages.length + count)
        const added = open.messages.filter((message) => !before.messages.includes(message))
        expect(added.every((message) => operationIds.includes(hiddenBy(message) ?? ''))).toBe(true)
      }
      expect(layOut(loaded, [])).toEqual(before)
    }),
  )
})

test('UI-29 an operation that hid nothing which is loaded counts nothing, wherever others did', () => {
  fc.assert(
    fc.property(threads, revelations, (loaded, revealed) => {
      const layout = layOut(loaded, revealed)
      expect(hiddenWhere(layout, ['op_elsewhere'])).toBe(0)
      expect(hiddenWhere(layout, [])).toBe(0)
      for (const id of REWINDS) {
        const own = loaded.filter((message) => hiddenBy(message) === id).length
        if (own === 0) expect(hiddenWhere(layout, [id])).toBe(0)
      }
    }),
  )
})

const summary = (id: string, compactionId: string, tail: string, by?: string): ChatMessage => ({
  ...userMessage(id),
  role: 'assistant',
  metadata: {
    schemaVersion: 1,
    createdAt: 0,
    summary: true,
    synthetic: true,
    compactionId,
    ...(by !== undefined && { hiddenBy: by }),
  },
  parts: [{ type: 'data-compaction', data: { summary: 'So far', tail_start_id: tail, auto: true } }],
})
const covered = (id: string, by: string): ChatMessage => ({
  ...userMessage(id),
  metadata: { schemaVersion: 1, createdAt: 0, hiddenBy: by },
})
const idsOf = ({ messages }: ThreadLayout) => messages.map(({ id }) => id)

test.each([1, 2, 3, 5])('UI-21 a chain of %s summaries opens one by one, the latest first', (depth) => {
  const loaded: ChatMessage[] = []
  const timeline: { id: string }[] = []
  for (let at = 1; at <= depth; at++) {
    timeline.push({ id: `c${at}` })
    loaded.push(covered(`m${at}`, `c${at}`))
    const next = at < depth ? `c${at + 1}` : undefined
    loaded.push(summary(`s${at}`, `c${at}`, at < depth ? `m${at + 1}` : 'end', next))
  }
  loaded.push(userMessage('end'))
  const at = (revealed: string[]) => idsOf(threadLayout({ loaded, revealed: new Set(revealed), timeline }))
  expect(at([])).toEqual([`s${depth}`, 'end'])
  const open = Array.from({ length: depth }, (_, step) => `c${depth - step}`)
  for (let step = 1; step <= depth; step++) {
    const ids = at(open.slice(0, step))
    expect(ids.filter((id) => id.startsWith('m'))).toHaveLength(step)
    expect(ids.filter((id) => id.startsWith('s'))).toHaveLength(Math.min(depth, step + 1))
  }
  expect(at(open)).toHaveLength(2 * depth + 1)
})

test('UI-21 what a summary replaced leaves no trace, whether or not it is shown', () => {
  const loaded = [covered('a', 'c1'), covered('b', 'c1'), userMessage('c'), summary('s', 'c1', 'c')]
  for (const revealed of [[], ['c1']]) {
    const layout = threadLayout({ loaded, revealed: new Set(revealed), timeline: [{ id: 'c1' }] })
    expect(tracesOf(layout)).toEqual([])
  }
})

test('UI-17 a rewind among summarised messages leaves its trace once the summary is undone', () => {
  const loaded = [covered('a', 'op_1'), userMessage('b')]
  const layout = threadLayout({ loaded, revealed: new Set(), timeline: [] })
  expect(layout.traces.get('b')).toEqual({ operationIds: ['op_1'], count: 1, revealed: false })
})
