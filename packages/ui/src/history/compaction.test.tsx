// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { CompactionNotice } from './compaction-notice.tsx'
import { CompareTarget } from './compare-target.tsx'
import { ContextActions } from './context-actions.tsx'
import { FitDialog, type Misfit } from './fit-dialog.tsx'
import { HistoryTrace } from './history-trace.tsx'

test('UI-21 while a summary is made it is said why', () => {
  using page = show(<CompactionNotice state="running" auto={false} />)
  expect(page.getByRole('status').textContent).toContain('New messages are queued')
  page.rerender(<CompactionNotice state="running" auto />)
  expect(page.getByRole('status').textContent).toContain('nearly full')
})

test('UI-21 a summary that failed says why, with every way on', () => {
  const on = { onRetry: vi.fn(), onPrune: vi.fn(), onNewChat: vi.fn(), onDismiss: vi.fn() }
  using page = show(<CompactionNotice state="failed" message="Too long." {...on} />)
  expect(page.getByRole('alert').textContent).toContain('Too long.')
  for (const name of ['Try again', 'Drop old tool results', 'New chat', 'Dismiss']) {
    fireEvent.click(page.getByRole('button', { name }))
  }
  for (const act of Object.values(on)) expect(act).toHaveBeenCalledOnce()
})

test('UI-14 Summarise and Drop old tool results are disabled while a run is in progress', () => {
  const on = { onCompact: vi.fn(), onPrune: vi.fn(), onBudget: vi.fn() }
  using page = show(<ContextActions disabled {...on} />)
  for (const button of page.getAllByRole('button')) fireEvent.click(button)
  expect(on.onCompact).not.toHaveBeenCalled()
  expect(on.onBudget).toHaveBeenCalledOnce()
  page.rerender(<ContextActions disabled={false} {...on} />)
  for (const button of page.getAllByRole('button')) fireEvent.click(button)
  expect([on.onCompact, on.onPrune].map((act) => act.mock.calls.length)).toEqual([1, 1])
})

test.each<[string, Partial<Misfit>, button: string, absent: string[]]>([
  ['compacts', { outcome: 'compacts' }, 'Switch', ['Branch instead', 'New chat']],
  ['does not fit but an earlier point does', { branchAt: 'Iron' }, 'Branch instead', ['Switch', 'New chat']],
  ['does not fit at any point', { branchAt: null }, 'New chat', ['Switch', 'Branch instead']],
])('UI-13 a switch to a model that %s offers the one way that helps', (_, facts, button, absent) => {
  const on = { onClose: vi.fn(), onSwitch: vi.fn(), onBranch: vi.fn(), onNewChat: vi.fn() }
  const misfit: Misfit = {
    outcome: 'too-small',
    modelLabel: 'mini',
    used: 42_000,
    usable: 8_000,
    branchAt: null,
    ...facts,
  }
  using page = show(<FitDialog misfit={misfit} {...on} />)
  expect(page.getByRole('dialog').textContent).toContain('42k')
  for (const name of absent) expect(page.queryByRole('button', { name })).toBeNull()
  fireEvent.click(page.getByRole('button', { name: button }))
  const called = { Switch: on.onSwitch, 'Branch instead': on.onBranch, 'New chat': on.onNewChat }[button]
  expect(called).toHaveBeenCalledOnce()
  fireEvent.click(page.getByRole('button', { name: 'Cancel' }))
  expect(on.onClose).toHaveBeenCalledOnce()
})

test('UI-20 one field writes to either side or to both', () => {
  const onChange = vi.fn()
  using page = show(<CompareTarget names={{ left: 'Oak', right: 'Iron' }} value="both" onChange={onChange} />)
  expect(page.getAllByRole('radio').map((radio) => Reflect.get(radio, 'checked'))).toEqual([
    false,
    true,
    false,
  ])
  fireEvent.click(page.getByRole('radio', { name: 'Oak' }))
  fireEvent.click(page.getByRole('radio', { name: 'Iron' }))
  expect(onChange.mock.calls).toEqual([['left'], ['right']])
})

test('UI-17 a trace counts hidden messages, and restores them once they are shown', () => {
  const on = { onToggle: vi.fn(), onRestore: vi.fn() }
  using page = show(<HistoryTrace count={12} revealed={false} {...on} />)
  expect(page.queryByRole('button', { name: 'Restore' })).toBeNull()
  fireEvent.click(page.getByRole('button', { name: 'Show 12 messages hidden here' }))
  page.rerender(<HistoryTrace count={12} revealed {...on} />)
  expect(page.getByRole('button', { name: 'Hide 12 messages again' }).getAttribute('aria-expanded')).toBe(
    'true',
  )
  fireEvent.click(page.getByRole('button', { name: 'Restore' }))
  expect([on.onToggle, on.onRestore].map((act) => act.mock.calls.length)).toEqual([1, 1])
})
