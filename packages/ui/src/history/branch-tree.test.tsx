// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { type BranchNode, BranchTree, type BranchTreeProps } from './branch-tree.tsx'
import { LineageCrumbs } from './lineage-crumbs.tsx'

const NOON = new Date(2026, 4, 20, 12, 0).getTime()

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const node = (id: string, facts: Partial<BranchNode> = {}): BranchNode => ({
  id,
  name: `Chat ${id}`,
  href: `/s/${id}`,
  says: null,
  updatedAt: NOON,
  status: { state: 'idle' },
  side: false,
  children: [],
  ...facts,
})

function tree(props: Partial<BranchTreeProps> = {}) {
  const on = { onOpenChange: vi.fn(), onSelect: vi.fn(), onCompare: vi.fn(), onDelete: vi.fn() }
  const root = node('root', { children: [node('b'), node('c')] })
  const page = show(<BranchTree open root={root} currentId="b" {...on} {...props} />)
  return Object.assign(page, { on })
}

test('UI-19 a tree that is being read is a dialog without a branch, which does not say that there are none', () => {
  using page = tree({ root: null })
  expect(page.getByRole('dialog', { name: 'Branches' })).toBeDefined()
  expect(page.queryAllByRole('link')).toEqual([])
  expect(page.queryByText(/No branches yet/)).toBeNull()
})

test('UI-19 a branch says that one is there, that it is a side question, and when it changed', () => {
  using page = tree({
    root: node('root', { children: [node('b', { side: true, says: 'Of wax?' })] }),
  })
  expect(page.getByRole('link', { name: /Chat b/ }).textContent).toMatch(
    /^Chat b.*Of wax\?You are here · Side question · 12:00.PM$/,
  )
  expect(page.getByRole('link', { name: /Chat root/ }).textContent).toMatch(/^Chat root.*12:00.PM$/)
})

test('UI-19 a branch with a running reply says so', () => {
  const status = { state: 'busy', runId: 'run_1', startedAt: 0 } as const
  using page = tree({ root: node('root', { children: [node('c', { status })] }) })
  expect(page.getByRole('link', { name: /Chat c/ }).textContent).toContain('Running')
  expect(page.getByRole('link', { name: /Chat root/ }).textContent).not.toContain('Running')
})

test.each([
  ['shiftKey', { shiftKey: true }],
  ['ctrlKey', { ctrlKey: true }],
  ['metaKey', { metaKey: true }],
  ['the middle button', { button: 1 }],
])('UI-19 a click with %s on a branch is left to the browser', (_, click) => {
  using page = tree()
  fireEvent.click(page.getByRole('link', { name: /Chat c/ }), click)
  expect(page.on.onSelect).not.toHaveBeenCalled()
})

test('UI-19 arrow keys at a button inside the tree move no focus', () => {
  using page = tree()
  const button = page.getByRole('button', { name: 'Compare with Chat c' })
  button.focus()
  for (const key of ['ArrowDown', 'ArrowUp', 'Home', 'End']) {
    expect(fireEvent.keyDown(button, { key })).toBe(true)
  }
  expect(document.activeElement).toBe(button)
})

test('UI-19 the focus stops at the first and at the last branch', () => {
  using page = tree()
  const [first, , last] = page.getAllByRole('link')
  first?.focus()
  expect(fireEvent.keyDown(first ?? document.body, { key: 'ArrowUp' })).toBe(false)
  expect(document.activeElement).toBe(first)
  last?.focus()
  fireEvent.keyDown(last ?? document.body, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(last)
})

test('UI-19 the root can be compared with and not deleted, and a branch of a branch can be both', () => {
  using page = tree({
    root: node('root', { children: [node('b', { children: [node('deep')] })] }),
  })
  expect(page.getByRole('button', { name: 'Compare with Chat root' })).toBeDefined()
  expect(page.queryByRole('button', { name: 'Delete Chat root' })).toBeNull()
  fireEvent.click(page.getByRole('button', { name: 'Delete Chat deep' }))
  expect(page.on.onDelete.mock.calls).toEqual([['deep']])
  expect(page.on.onSelect).not.toHaveBeenCalled()
})

test('UI-19 Esc closes the tree', () => {
  using page = tree()
  fireEvent.keyDown(page.getByRole('dialog'), { key: 'Escape' })
  expect(page.on.onOpenChange.mock.calls[0]?.[0]).toBe(false)
})

test('SX-3 names and words in the tree stay text', () => {
  using page = tree({ root: node('root', { name: '<img src=x>', says: '<b>Ink</b>' }) })
  expect(page.getByRole('dialog').querySelector('img, b')).toBeNull()
  expect(page.getByText('<b>Ink</b>')).toBeDefined()
})

const crumbs = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `c${at}`, name: `Chat ${at}`, href: `/s/c${at}` }))

test.each([
  [1, 'Chat 0'],
  [3, 'Chat 0 Chat 1 Chat 2'],
  [4, 'Chat 0 … Chat 3'],
  [50, 'Chat 0 … Chat 49'],
])('UI-19 of %i ancestors the breadcrumbs are %s', (count, shown) => {
  using page = show(<LineageCrumbs ancestors={crumbs(count)} onSelect={vi.fn()} />)
  const items = page.getAllByRole('listitem').map(({ firstChild }) => firstChild?.textContent)
  expect(items.join(' ')).toBe(shown)
})

test('UI-19 a crumb has its address and its whole name', () => {
  using page = show(<LineageCrumbs ancestors={crumbs(1)} onSelect={vi.fn()} />)
  const link = page.getByRole('link', { name: 'Chat 0' })
  expect([link.getAttribute('href'), link.getAttribute('title')]).toEqual(['/s/c0', 'Chat 0'])
})
