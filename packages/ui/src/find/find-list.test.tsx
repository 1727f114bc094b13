// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { FindLayer } from './find-layer.tsx'
import { FindList, type FindListProps, type FindMatch } from './find-list.tsx'

const scrolled = vi.fn<(text: string | null) => void>()

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function (this: HTMLElement) {
    scrolled(this.textContent)
  })
})
afterEach(() => {
  scrolled.mockClear()
  vi.restoreAllMocks()
})

const match = (messageId: string, facts: Partial<FindMatch> = {}): FindMatch => ({
  messageId,
  role: 'user',
  layer: 'visible',
  pieces: [`${messageId} of `, 'ink', ''],
  ...facts,
})

function list(props: Partial<FindListProps> = {}) {
  const onSelect = vi.fn()
  const element = (next: Partial<FindListProps> = {}) => (
    <FindList
      matches={[match('a'), match('b'), match('c')]}
      currentId={null}
      onSelect={onSelect}
      {...props}
      {...next}
    />
  )
  const page = show(element())
  const rows = () => page.queryAllByRole('button')
  return Object.assign(page, { onSelect, element, rows })
}

test('UI-30 without a match that is pointed at no row is current, and nothing scrolls', () => {
  using page = list()
  expect(page.rows().map((row) => row.hasAttribute('aria-current'))).toEqual([false, false, false])
  expect(scrolled).not.toHaveBeenCalled()
})

test('UI-30 the row of the match that is pointed at scrolls into view, once for each step', () => {
  using page = list({ currentId: 'b' })
  page.rerender(page.element({ currentId: 'b' }))
  expect(scrolled.mock.calls).toEqual([['Youb of ink']])
  page.rerender(page.element({ currentId: 'c' }))
  expect(scrolled.mock.calls).toEqual([['Youb of ink'], ['Youc of ink']])
})

test('UI-30 a match that is pointed at and not in the list marks no row', () => {
  using page = list({ currentId: 'gone' })
  expect(page.container.querySelector('[aria-current]')).toBeNull()
  expect(scrolled).not.toHaveBeenCalled()
})

test('UI-30 a row leads to its message, also the one that is pointed at', () => {
  using page = list({ currentId: 'b' })
  for (const row of page.rows()) fireEvent.click(row)
  expect(page.onSelect.mock.calls).toEqual([['a'], ['b'], ['c']])
})

test('UI-30 the matches are in the order in which they are given', () => {
  using page = list({ matches: [match('z'), match('a'), match('m')] })
  expect(page.rows().map(({ textContent }) => textContent)).toEqual([
    'Youz of ink',
    'Youa of ink',
    'Youm of ink',
  ])
})

test.each<[string, readonly string[], string[]]>([
  ['no match in its words', ['Ink and wax'], []],
  ['a match at its start', ['', 'Ink', ' and wax'], ['Ink']],
  ['a match at its end', ['Of ', 'ink', ''], ['ink']],
  ['matches side by side', ['', 'ink', '', 'ink', ''], ['ink', 'ink']],
  ['nothing but the match', ['', 'ink', ''], ['ink']],
  ['no words', [], []],
])('UI-30 in a row with %s every second piece is marked', (_, pieces, marked) => {
  using page = list({ matches: [match('a', { pieces })] })
  const marks = [...page.container.querySelectorAll('mark')].map(({ textContent }) => textContent)
  expect(marks).toEqual(marked)
  expect(page.container.querySelector('[dir=auto]')?.textContent).toBe(pieces.join(''))
})

test('UI-30 the author of a row is the person or the reply', () => {
  using page = list({
    matches: [match('a'), match('b', { role: 'assistant' }), match('c', { role: 'system' })],
  })
  expect(page.rows().map(({ firstChild }) => firstChild?.textContent)).toEqual(['You', 'Reply', 'Reply'])
})

test('SX-3 markup in the words around a match stays text', () => {
  using page = list({ matches: [match('a', { pieces: ['<img src=x>', '<b>', '[x](https://example.org)'] })] })
  expect(page.container.querySelector('img, b, a')).toBeNull()
  expect(page.rows()[0]?.textContent).toBe('You<img src=x><b>[x](https://example.org)')
})

test('UI-30 the list has a name, and as many rows as matches', () => {
  using page = list({ matches: [] })
  expect(page.getByRole('list', { name: 'Matches' }).children).toHaveLength(0)
})

test.each([
  ['visible', ''],
  ['hidden', 'Hidden'],
  ['summarised', 'Summarised'],
] as const)('UI-30 the layer %s has the badge %j', (layer, badge) => {
  using page = show(<FindLayer layer={layer} />)
  expect(page.container.textContent).toBe(badge)
  expect(page.container.children).toHaveLength(badge === '' ? 0 : 1)
})
