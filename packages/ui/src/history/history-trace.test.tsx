// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { CompareTarget, type Target } from './compare-target.tsx'
import { HiddenHeader } from './hidden-header.tsx'
import { HistoryTrace } from './history-trace.tsx'
import { RewindTray, type RewindTrayProps } from './rewind-tray.tsx'

test('UI-17 one hidden message is counted in the singular', () => {
  using page = show(<HistoryTrace count={1} revealed={false} onToggle={vi.fn()} />)
  const button = page.getByRole('button', { name: 'Show 1 message hidden here' })
  expect(button.textContent).toBe('1 earlier message hidden')
  expect(button.getAttribute('aria-expanded')).toBe('false')
})

test('UI-29 of messages that are not all loaded the number is said to be the least', () => {
  using page = show(<HistoryTrace count={120} more revealed={false} onToggle={vi.fn()} />)
  const button = page.getByRole('button', { name: 'Show at least 120 messages hidden here' })
  expect(button.textContent).toBe('At least 120 earlier messages hidden')
})

test('UI-17 where hidden messages can not be restored, they are shown and no more', () => {
  const onToggle = vi.fn()
  using page = show(<HistoryTrace count={2} revealed onToggle={onToggle} />)
  expect(page.getAllByRole('button')).toHaveLength(1)
  fireEvent.click(page.getByRole('button', { name: 'Hide 2 messages again' }))
  expect(onToggle).toHaveBeenCalledOnce()
})

test('UI-17 over hidden messages that are read is the way to restore them', () => {
  const onRestore = vi.fn()
  using page = show(<HiddenHeader onRestore={onRestore} />)
  expect(page.container.textContent).toMatch(/^Hidden/)
  fireEvent.click(page.getByRole('button', { name: 'Restore hidden messages' }))
  expect(onRestore).toHaveBeenCalledOnce()
})

function tray(props: Partial<RewindTrayProps> = {}) {
  const on = { onPeek: vi.fn(), onRestore: vi.fn(), onTimeline: vi.fn(), onDismiss: vi.fn() }
  const page = show(
    <RewindTray
      hidden={2}
      total={2}
      restored={0}
      editTakenBack={false}
      files={0}
      earlier={null}
      peeking={false}
      {...on}
      {...props}
    />,
  )
  return Object.assign(page, { on })
}

test.each<[string, keyof ReturnType<typeof tray>['on']]>([
  ['Show', 'onPeek'],
  ['Timeline', 'onTimeline'],
  ['Restore', 'onRestore'],
  ['Dismiss', 'onDismiss'],
])('UI-17 the button %s of the tray calls %s and nothing else', (name, act) => {
  using page = tray()
  fireEvent.click(page.getByRole('button', { name }))
  const called = Object.entries(page.on).flatMap(([key, { mock }]) => (mock.calls.length > 0 ? [key] : []))
  expect(called).toEqual([act])
})

test('UI-17 as many hidden as there are in all is no "more", also with no number in all', () => {
  using page = tray()
  expect(page.getByRole('status').textContent).toBe('2 messages hidden')
  page.rerender(
    <RewindTray
      hidden={1}
      total={2}
      restored={0}
      editTakenBack={false}
      files={0}
      earlier={null}
      peeking={false}
      {...page.on}
    />,
  )
  expect(page.getByRole('status').textContent).toBe('1 more message hidden, 2 in all')
})

function target(value: Target) {
  const onChange = vi.fn()
  const page = show(
    <CompareTarget names={{ left: 'Oak', right: '<b>Iron</b>' }} value={value} onChange={onChange} />,
  )
  return Object.assign(page, { onChange })
}

test.each(['left', 'both', 'right'] as const)(
  'UI-20 the one that the field writes to is checked: %s',
  (value) => {
    using page = target(value)
    const checked = page.getAllByRole('radio').map((radio) => Reflect.get(radio, 'checked'))
    expect(checked).toEqual(['left', 'both', 'right'].map((one) => one === value))
  },
)

test('UI-20 SX-3 the choice of a side has a name, and the names of the sides stay text', () => {
  using page = target('left')
  expect(page.getByRole('group', { name: 'Send to' })).toBeDefined()
  fireEvent.click(page.getByRole('radio', { name: '<b>Iron</b>' }))
  expect(page.onChange.mock.calls).toEqual([['right']])
  expect(page.container.querySelector('b')).toBeNull()
})

test('UI-20 two fields of one page are chosen apart', () => {
  using page = show(
    <>
      <CompareTarget names={{ left: 'A', right: 'B' }} value="left" onChange={vi.fn()} />
      <CompareTarget names={{ left: 'C', right: 'D' }} value="right" onChange={vi.fn()} />
    </>,
  )
  const groups = new Set(page.getAllByRole('radio').map((radio) => radio.getAttribute('name')))
  expect(groups.size).toBe(2)
})
