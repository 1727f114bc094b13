// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { type BranchNode, BranchTree } from './branch-tree.tsx'
import { LineageCrumbs } from './lineage-crumbs.tsx'
import { VersionSwitch } from './version-switch.tsx'

const versions = ['a', 'b', 'c'].map((id, at) => ({
  id,
  name: `Way ${id}`,
  count: { messages: at, more: false },
}))

function fork(currentId: string, list = versions) {
  const on = { onSelect: vi.fn(), onCompare: vi.fn(), onTree: vi.fn(), onOpen: vi.fn() }
  const page = show(
    <VersionSwitch versions={list} currentId={currentId} status={() => ({ state: 'idle' })} {...on} />,
  )
  return Object.assign(page, { on })
}

test('UI-19 a switch shows the position of the current version, and moves one step each way', () => {
  using page = fork('b')
  expect(page.getByRole('button', { name: 'Version 2 of 3' }).textContent).toBe('2 / 3')
  fireEvent.click(page.getByRole('button', { name: 'Previous version' }))
  fireEvent.click(page.getByRole('button', { name: 'Next version' }))
  expect(page.on.onSelect.mock.calls).toEqual([['a'], ['c']])
})

test('UI-19 the arrow keys go from version to version and stop at the ends', () => {
  using page = fork('a')
  const nav = page.getByRole('navigation', { name: 'Versions' })
  fireEvent.keyDown(nav, { key: 'ArrowLeft' })
  fireEvent.keyDown(nav, { key: 'ArrowRight' })
  expect(page.on.onSelect.mock.calls).toEqual([['b']])
  expect(page.getByRole('button', { name: 'Previous version' }).hasAttribute('disabled')).toBe(true)
})

test('UI-19 the list names every version with what it holds, and leads there', async () => {
  using page = fork('a')
  fireEvent.click(page.getByRole('button', { name: 'Version 1 of 3' }))
  expect(page.on.onOpen).toHaveBeenCalled()
  const item = await page.findByRole('menuitem', { name: /Way c/ })
  expect(item.textContent).toContain('2 messages after this')
  expect(page.getByRole('menuitem', { name: /Way a/ }).textContent).toContain('You are here')
  fireEvent.click(item)
  expect(page.on.onSelect.mock.calls).toEqual([['c']])
})

test('UI-19 of two versions the other is compared with at once', async () => {
  using page = fork('a', versions.slice(0, 2))
  fireEvent.click(page.getByRole('button', { name: 'Version 1 of 2' }))
  fireEvent.click(await page.findByRole('menuitem', { name: 'Compare with this one' }))
  expect(page.on.onCompare.mock.calls).toEqual([['b']])
})

const crumbs = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: `Chat ${id}`, href: `/s/${id}` }))

test('UI-19 crumbs lead to where a branch came from, and a long way keeps its two ends', () => {
  const onSelect = vi.fn()
  using page = show(<LineageCrumbs ancestors={crumbs.slice(0, 3)} onSelect={onSelect} />)
  expect(page.getAllByRole('link').map((link) => link.textContent)).toEqual(['Chat a', 'Chat b', 'Chat c'])
  fireEvent.click(page.getByRole('link', { name: 'Chat b' }))
  fireEvent.click(page.getByRole('link', { name: 'Chat a' }), { metaKey: true })
  expect(onSelect.mock.calls).toEqual([['b']])
  page.rerender(<LineageCrumbs ancestors={crumbs} onSelect={onSelect} />)
  expect(page.getAllByRole('link').map((link) => link.textContent)).toEqual(['Chat a', 'Chat d'])
  page.rerender(<LineageCrumbs ancestors={[]} onSelect={onSelect} />)
  expect(page.queryByRole('navigation')).toBeNull()
})

const node = (id: string, children: BranchNode[] = []): BranchNode => ({
  id,
  name: `Chat ${id}`,
  href: `/s/${id}`,
  says: null,
  updatedAt: 0,
  status: { state: 'idle' },
  side: false,
  children,
})

function tree(root: BranchNode, currentId: string) {
  const on = { onOpenChange: vi.fn(), onSelect: vi.fn(), onCompare: vi.fn(), onDelete: vi.fn() }
  return Object.assign(show(<BranchTree open root={root} currentId={currentId} {...on} />), { on })
}

const family = node('root', [node('b', [node('c')]), node('d')])

test('UI-19 arrow keys, Home and End move through the tree', () => {
  using page = tree(family, 'b')
  page.getByRole('link', { name: /Chat root/ }).focus()
  for (const [key, name] of [
    ['ArrowDown', /Chat b/],
    ['ArrowDown', /Chat c/],
    ['End', /Chat d/],
    ['ArrowDown', /Chat d/],
    ['Home', /Chat root/],
  ] as const) {
    fireEvent.keyDown(document.activeElement ?? document.body, { key })
    expect(document.activeElement).toBe(page.getByRole('link', { name }))
  }
})

test('UI-19 from the tree every other branch is opened, compared and deleted, the root and this one are not', () => {
  using page = tree(family, 'b')
  fireEvent.click(page.getByRole('link', { name: /Chat c/ }))
  fireEvent.click(page.getByRole('button', { name: 'Compare with Chat d' }))
  fireEvent.click(page.getByRole('button', { name: 'Delete Chat d' }))
  expect(page.on.onSelect.mock.calls).toEqual([['c']])
  expect(page.on.onCompare.mock.calls).toEqual([['d']])
  expect(page.on.onDelete.mock.calls).toEqual([['d']])
  expect(page.getByRole('link', { name: /Chat b/ }).getAttribute('aria-current')).toBe('page')
  expect(page.queryByRole('button', { name: 'Delete Chat b' })).toBeNull()
  expect(page.queryByRole('button', { name: 'Delete Chat root' })).toBeNull()
})

test('UI-19 a chat without branches says how to make one', () => {
  using page = tree(node('root'), 'root')
  expect(page.getByText(/No branches yet/)).toBeTruthy()
})
