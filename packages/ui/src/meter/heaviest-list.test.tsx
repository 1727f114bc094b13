// @vitest-environment happy-dom
import type { HeavyMessage } from '@palimpsest/core/domain'
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { HeaviestList } from './heaviest-list.tsx'
import { TokenTable } from './token-table.tsx'

const heavy = (messageId: string, facts: Partial<HeavyMessage> = {}): HeavyMessage => ({
  messageId,
  role: 'user',
  text: `Of ${messageId}`,
  tokens: 12_400,
  place: 1,
  ...facts,
})

function list(heaviest: readonly HeavyMessage[]) {
  const onLeaveOut = vi.fn()
  const page = show(<HeaviestList heaviest={heaviest} onLeaveOut={onLeaveOut} />)
  return Object.assign(page, { onLeaveOut, rows: () => page.getAllByRole('listitem') })
}

test('UI-14 the heaviest messages are in their order, with author, words and estimated tokens', () => {
  using page = list([heavy('ink'), heavy('wax', { role: 'assistant', tokens: 850 })])
  expect(page.rows().map(({ textContent }) => textContent)).toEqual([
    'You: Of ink≈ 12.4kLeave out',
    'Reply: Of wax≈ 850Leave out',
  ])
})

test('UI-14 PR-5 the button of each message names it, and leaves out that one', () => {
  using page = list([heavy('ink'), heavy('wax')])
  fireEvent.click(page.getByRole('button', { name: 'Leave out “Of wax”' }))
  expect(page.onLeaveOut).toHaveBeenCalledExactlyOnceWith('wax')
})

test('UI-14 a message without words is called a file, in its row and by its button', () => {
  using page = list([heavy('m1', { text: '' })])
  expect(page.rows()[0]?.textContent).toContain('You: File')
  fireEvent.click(page.getByRole('button', { name: 'Leave out “File”' }))
  expect(page.onLeaveOut).toHaveBeenCalledExactlyOnceWith('m1')
})

test('UI-14 two messages in the same words are left out each by its own button', () => {
  using page = list([heavy('a', { text: 'Ink' }), heavy('b', { text: 'Ink' })])
  for (const button of page.getAllByRole('button', { name: 'Leave out “Ink”' })) fireEvent.click(button)
  expect(page.onLeaveOut.mock.calls).toEqual([['a'], ['b']])
})

test('UI-14 words that are cut off are whole on request', () => {
  const text = 'ink '.repeat(100).trim()
  using page = list([heavy('m1', { text })])
  expect(page.getByTitle(text)).toBeDefined()
})

test('SX-3 markup in the words of a heavy message stays text', () => {
  using page = list([heavy('m1', { text: '<img src=x onerror=alert(1)>' })])
  expect(page.container.querySelector('img')).toBeNull()
  expect(page.getByRole('button', { name: 'Leave out “<img src=x onerror=alert(1)>”' })).toBeDefined()
})

test('UI-14 the five counts are in one order, written in full, with their sum below', () => {
  const counts = { input: 1_000, output: 2_000, reasoning: 0, cacheRead: 1_234_567, cacheWrite: 4 }
  using page = show(<TokenTable counts={counts} total={1_237_571} />)
  const rows = page.getAllByRole('row').map(({ textContent }) => textContent)
  expect(rows).toEqual([
    'Input1,000',
    'Output2,000',
    'Reasoning0',
    'Cache read1,234,567',
    'Cache write4',
    'Total1,237,571',
  ])
  expect(page.getAllByRole('rowheader')).toHaveLength(6)
})
