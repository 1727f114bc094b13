// @vitest-environment happy-dom
import type { ChatMessage, ChatPart } from '@palimpsest/core/domain'
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { sampleMessage, sampleModel, textMessage } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { CompareCell, type CompareCellProps, replyText } from './compare-cell.tsx'
import type { CompareSide, CompareTurn } from './compare-side.ts'

const SIDE: CompareSide = { id: 'a', name: 'Oak', href: '/s/a', status: { state: 'idle' }, streamingId: null }

const text = (words: string): ChatPart => ({ type: 'text', text: words, state: 'done' })
const reasoning = (words: string): ChatPart => ({ type: 'reasoning', text: words, state: 'done' })

function turn(...replies: ChatMessage[]): CompareTurn {
  return { prompt: textMessage('p', 'user', 'Of ink?'), replies }
}

function cell(props: Partial<CompareCellProps> = {}) {
  const element = (next: Partial<CompareCellProps> = {}) => (
    <CompareCell turn={null} side={SIDE} models={[sampleModel('first')]} actions={{}} {...props} {...next} />
  )
  return Object.assign(show(element()), { element })
}

const one = turn(sampleMessage('x', 'assistant', [text('Black.')]))
const two = turn(sampleMessage('y', 'assistant', [text('Brown.')]))

test.each<[string, CompareTurn, string]>([
  ['no reply', turn(), ''],
  ['one reply', one, 'Black.'],
  ['two replies', turn(...one.replies, ...two.replies), 'Black.\n\nBrown.'],
  ['a reply of spaces', turn(sampleMessage('x', 'assistant', [text('  \n ')])), ''],
  ['reasoning alone', turn(sampleMessage('x', 'assistant', [reasoning('Hm.')])), ''],
  ['reasoning and words', turn(sampleMessage('x', 'assistant', [reasoning('Hm.'), text('Ink.')])), 'Ink.'],
  ['spaces around its words', turn(sampleMessage('x', 'assistant', [text('\n Ink. ')])), 'Ink.'],
])('UI-34 the words that are compared of a turn with %s', (_, compared, words) => {
  expect(replyText(compared)).toBe(words)
})

test('UI-20 a side without the turn says so, and has no facts and no notice', () => {
  using page = cell({ other: one, newest: true })
  expect(page.container.textContent).toBe('Nothing here yet')
})

test('UI-20 common messages, which have no other side, have no facts below them', () => {
  using page = cell({ turn: one })
  expect(page.container.textContent).not.toContain('tokens')
})

test('UI-20 a turn beside nothing has its facts, and none of them differs', () => {
  using page = cell({ turn: one, other: null })
  expect(page.getByText('0 tokens').className).not.toContain('text-ink')
})

test('UI-20 a turn without a reply has no facts', () => {
  using page = cell({ turn: turn(), other: one })
  expect(page.queryByText(/tokens$/)).toBeNull()
})

test('UI-20 replies from before the fork are shown without a message that was sent', () => {
  using page = cell({ turn: { prompt: null, replies: one.replies }, other: two })
  expect(page.getByText('Black.')).toBeDefined()
  expect(page.queryByText('Of ink?')).toBeNull()
})

test('UI-34 with differences the message that was sent stays, and the reply is its marked words', async () => {
  using page = cell({ turn: one, other: two, differences: true, onDifferences: vi.fn() })
  const mark = await page.findByText('Black', { selector: 'mark' })
  expect(mark.parentElement?.textContent).toBe('Black.')
  expect(page.getByText('Of ink?')).toBeDefined()
  expect(page.getAllByText(/Black/)).toHaveLength(1)
})

test('UI-34 the button of differences says whether they are shown', () => {
  const onDifferences = vi.fn()
  using page = cell({ turn: one, other: two, onDifferences })
  const button = page.getByRole('button', { name: 'Show differences' })
  expect(button.getAttribute('aria-pressed')).toBe('false')
  fireEvent.click(button)
  expect(onDifferences).toHaveBeenCalledOnce()
  page.rerender(page.element({ turn: one, other: two, differences: true, onDifferences }))
  expect(page.getByRole('button', { name: 'Hide differences' }).getAttribute('aria-pressed')).toBe('true')
})

test('UI-34 where differences can not be shown there is no button for them', () => {
  using page = cell({ turn: one, other: two })
  expect(page.queryByRole('button', { name: /differences$/ })).toBeNull()
})

test('UI-11 UI-20 only the newest turn of a side offers to get a reply', () => {
  const actions = { onResend: vi.fn() }
  using page = cell({ turn: turn(), actions })
  expect(page.queryByRole('button', { name: 'Get a reply' })).toBeNull()
  page.rerender(page.element({ turn: turn(), actions, newest: true }))
  fireEvent.click(page.getByRole('button', { name: 'Get a reply' }))
  expect(actions.onResend).toHaveBeenCalledExactlyOnceWith('p')
})
