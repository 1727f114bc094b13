// @vitest-environment happy-dom
import type { ChatMessage } from '@palimpsest/core/domain'
import { fireEvent, renderHook } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { sampleMessage, textMessage, toolCall } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { estimateHeight } from './estimate-height.ts'
import { JumpToLatest } from './jump-to-latest.tsx'
import { useNewCount } from './use-new-count.ts'

const thread = (...ids: readonly string[]) => ids.map((id) => textMessage(id, 'user', id))

function counted(first: readonly ChatMessage[], following: boolean) {
  const hook = renderHook(({ messages, follows }) => useNewCount(messages, follows), {
    initialProps: { messages: first, follows: following },
  })
  return {
    count: () => hook.result.current,
    next: (messages: readonly ChatMessage[], follows: boolean) => hook.rerender({ messages, follows }),
    [Symbol.dispose]: hook.unmount,
  }
}

test('UI-7 nothing is new while the end is followed', () => {
  using at = counted(thread('a'), true)
  at.next(thread('a', 'b'), true)
  expect(at.count()).toBe(0)
})

test('UI-7 messages that arrive after the reader left the end are counted, and none before', () => {
  using at = counted(thread('a', 'b'), true)
  at.next(thread('a', 'b'), false)
  expect(at.count()).toBe(0)
  at.next(thread('a', 'b', 'c'), false)
  at.next(thread('a', 'b', 'c', 'd'), false)
  expect(at.count()).toBe(2)
})

test('UI-7 a reader who comes back to the end has seen all, and counting begins there', () => {
  using at = counted(thread('a'), true)
  at.next(thread('a', 'b'), false)
  expect(at.count()).toBe(1)
  at.next(thread('a', 'b'), true)
  at.next(thread('a', 'b'), false)
  expect(at.count()).toBe(0)
  at.next(thread('a', 'b', 'c'), false)
  expect(at.count()).toBe(1)
})

test('UI-7 older messages that are loaded above are not new', () => {
  using at = counted(thread('c'), true)
  at.next(thread('c', 'd'), false)
  at.next(thread('a', 'b', 'c', 'd'), false)
  expect(at.count()).toBe(1)
})

test('UI-7 a thread that opens away from its end counts from what it opened with', () => {
  using at = counted(thread('a', 'b'), false)
  expect(at.count()).toBe(0)
  at.next(thread('a', 'b', 'c'), false)
  expect(at.count()).toBe(1)
})

test('UI-7 a thread that was empty counts from its first messages', () => {
  using at = counted([], false)
  expect(at.count()).toBe(0)
  at.next(thread('a'), false)
  at.next(thread('a', 'b'), false)
  expect(at.count()).toBe(1)
})

test('UI-7 nothing is new where the last message that was seen is hidden', () => {
  using at = counted(thread('a', 'b'), true)
  at.next(thread('a'), false)
  expect(at.count()).toBe(0)
  at.next(thread('a', 'x', 'y'), false)
  expect(at.count()).toBe(0)
})

test('UI-7 the count is that of the messages behind the last one that was seen', () => {
  fc.assert(
    fc.property(fc.nat(6), fc.nat(6), fc.nat(6), (seen, arrived, older) => {
      const ids = Array.from({ length: seen + 1 + arrived }, (_, index) => `m${index}`)
      const above = Array.from({ length: older }, (_, index) => `o${index}`)
      using at = counted(thread(...ids.slice(0, seen + 1)), true)
      at.next(thread(...above, ...ids), false)
      expect(at.count()).toBe(arrived)
    }),
  )
})

test.each([
  [0, 'Jump to latest'],
  [1, '1 new message'],
  [12, '12 new messages'],
])('UI-7 with %i new messages the button says %s', (count, words) => {
  const onJump = vi.fn()
  using page = show(<JumpToLatest count={count} onJump={onJump} />)
  fireEvent.click(page.getByRole('button', { name: words }))
  expect(onJump).toHaveBeenCalledOnce()
})

test('UI-8 a message that is not loaded has an estimate', () => {
  expect(estimateHeight(undefined)).toBeGreaterThan(0)
})

test('UI-8 a reply is estimated higher than a question of one text, and a file more than a call', () => {
  const text = 'word '.repeat(200)
  expect(estimateHeight(textMessage('a', 'assistant', text))).toBeGreaterThan(
    estimateHeight(textMessage('q', 'user', text)),
  )
  const call = toolCall('read', {}, 'x'.repeat(10_000))
  const file = { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' } as const
  expect(estimateHeight(sampleMessage('f', 'user', [file]))).toBeGreaterThan(
    estimateHeight(sampleMessage('c', 'user', [call])),
  )
})

test('UI-8 the mark of a step takes no height, and the output of a closed call none of its own', () => {
  const text = { type: 'text', text: 'Hi' } as const
  expect(estimateHeight(sampleMessage('a', 'assistant', [{ type: 'step-start' }, text]))).toBe(
    estimateHeight(sampleMessage('b', 'assistant', [text])),
  )
  const short = sampleMessage('a', 'assistant', [toolCall('read', {}, 'x')])
  const long = sampleMessage('b', 'assistant', [toolCall('read', {}, 'x\n'.repeat(5_000))])
  expect(estimateHeight(long)).toBe(estimateHeight(short))
})

test('UI-8 the estimate is finite and never shrinks while a text grows', () => {
  const role = fc.constantFrom('user', 'assistant')
  fc.assert(
    fc.property(fc.string(), fc.string(), role, (text, more, of) => {
      const before = estimateHeight(textMessage('m', of, text))
      const after = estimateHeight(textMessage('m', of, text + more))
      expect(after).toBeGreaterThanOrEqual(before)
      expect(Number.isFinite(after)).toBe(true)
    }),
  )
})
