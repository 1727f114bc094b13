// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { en } from '../messages/en.ts'
import { MessagesProvider } from '../messages/messages-context.tsx'
import { show } from '../testing/show.tsx'
import { CompareHead, type CompareHeadProps } from './compare-head.tsx'
import type { CompareSide } from './compare-side.ts'

const side = (id: string, facts: Partial<CompareSide> = {}): CompareSide => ({
  id,
  name: `Name ${id}`,
  href: `/s/${id}`,
  status: { state: 'idle' },
  streamingId: null,
  ...facts,
})

function head(props: Partial<CompareHeadProps> = {}) {
  const on = { onShow: vi.fn(), onOpen: vi.fn() }
  const page = show(
    <MessagesProvider messages={en} locale="de">
      <CompareHead left={side('a')} right={side('b')} shown="left" {...on} {...props} />
    </MessagesProvider>,
  )
  const [left, right] = page.getAllByRole('tab')
  return Object.assign(page, { on, left: left ?? document.body, right: right ?? document.body })
}

test.each(['altKey', 'ctrlKey', 'metaKey'])(
  'UI-20 an arrow key with %s at the tabs is left to the browser',
  (held) => {
    using page = head()
    page.left.focus()
    expect(fireEvent.keyDown(page.left, { key: 'ArrowLeft', [held]: true })).toBe(true)
    expect(page.on.onShow).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(page.left)
  },
)

test('UI-20 other keys at the tabs show no other side', () => {
  using page = head()
  for (const key of ['ArrowUp', 'ArrowDown', 'Home', 'End', 'Escape', 'b'])
    fireEvent.keyDown(page.left, { key })
  expect(page.on.onShow).not.toHaveBeenCalled()
})

test('UI-20 the arrow keys lead round: from the last tab to the first, and back', () => {
  using page = head()
  fireEvent.keyDown(page.right, { key: 'ArrowRight' })
  fireEvent.keyDown(page.left, { key: 'ArrowLeft' })
  expect(page.on.onShow.mock.calls).toEqual([['left'], ['right']])
})

test.each([
  ['shiftKey', { shiftKey: true }],
  ['metaKey', { metaKey: true }],
  ['altKey', { altKey: true }],
  ['the middle button', { button: 1 }],
])('UI-20 a click with %s on the name of a side is left to the browser', (_, click) => {
  using page = head()
  fireEvent.click(page.getByRole('link', { name: 'Name a' }), click)
  expect(page.on.onOpen).not.toHaveBeenCalled()
})

test('UI-34 the tokens of a side follow the locale, and none are made up', () => {
  using page = head({ left: side('a', { tokens: 12_345 }), right: side('b') })
  expect(page.getAllByText('12.345 tokens')).toHaveLength(2)
  expect(page.container.textContent).not.toContain('undefined')
  using nothing = head({ left: side('a', { tokens: 0 }) })
  expect(nothing.getAllByText('0 tokens')).toHaveLength(2)
})

test('UI-34 a side with a model and no count yet shows its model alone', () => {
  using page = head({ right: side('b', { model: 'Oak 2' }) })
  expect(page.getByText('Oak 2').textContent).toBe('Oak 2')
})

test('UI-34 on narrow screens the facts under the tabs are those of the side that is shown', () => {
  const sides = { left: side('a', { model: 'Oak' }), right: side('b', { model: 'Iron' }) }
  using page = head({ ...sides, shown: 'right' })
  expect([page.getAllByText('Oak').length, page.getAllByText('Iron').length]).toEqual([1, 2])
})

test('SX-3 the names of the sides stay text', () => {
  using page = head({ left: side('a', { name: '<img src=x>' }) })
  expect(page.container.querySelector('img')).toBeNull()
  expect(page.getByRole('tab', { name: '<img src=x>' })).toBeDefined()
})
