// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { type Version, VersionSwitch, type VersionSwitchProps } from './version-switch.tsx'

const VERSIONS: Version[] = [
  { id: 'a', name: 'Oak', count: { messages: 1, more: false } },
  { id: 'b', name: 'Iron', count: { messages: 200, more: true } },
  { id: 'c', name: 'Gall', count: null },
]

function fork(props: Partial<VersionSwitchProps> = {}) {
  const on = { onSelect: vi.fn(), onCompare: vi.fn(), onTree: vi.fn(), onOpen: vi.fn() }
  const page = show(
    <VersionSwitch versions={VERSIONS} currentId="b" status={() => ({ state: 'idle' })} {...on} {...props} />,
  )
  const nav = page.getByRole('navigation', { name: 'Versions' })
  const list = () => fireEvent.click(page.getByRole('button', { name: /^Version \d of \d$/ }))
  return Object.assign(page, { on, nav, list })
}

test.each(['altKey', 'ctrlKey', 'metaKey'])('UI-19 an arrow key with %s is left to the browser', (held) => {
  using page = fork()
  for (const key of ['ArrowLeft', 'ArrowRight']) {
    expect(fireEvent.keyDown(page.nav, { key, [held]: true })).toBe(true)
  }
  expect(page.on.onSelect).not.toHaveBeenCalled()
})

test.each(['ArrowUp', 'ArrowDown', 'Home', 'End', 'Enter', 'a'])('UI-19 %s is left to the page', (key) => {
  using page = fork()
  expect(fireEvent.keyDown(page.nav, { key })).toBe(true)
  expect(page.on.onSelect).not.toHaveBeenCalled()
})

test('UI-19 an arrow key beyond the last version is used and leads nowhere', () => {
  using page = fork({ currentId: 'c' })
  expect(fireEvent.keyDown(page.nav, { key: 'ArrowRight' })).toBe(false)
  expect(page.on.onSelect).not.toHaveBeenCalled()
  expect(page.getByRole('button', { name: 'Next version' })).toHaveProperty('disabled', true)
  expect(page.getByRole('button', { name: 'Previous version' })).toHaveProperty('disabled', false)
})

test('UI-19 a single version has no step to another', () => {
  using page = fork({ versions: VERSIONS.slice(0, 1), currentId: 'a' })
  for (const name of ['Next version', 'Previous version']) {
    expect(page.getByRole('button', { name })).toHaveProperty('disabled', true)
  }
})

test('UI-19 the list says how much each version holds, as far as it is counted', async () => {
  using page = fork()
  page.list()
  const texts = await page.findAllByRole('menuitem')
  expect(texts.map(({ textContent }) => textContent)).toEqual([
    'Oak1 message after this',
    'IronYou are here · 200+ messages after this',
    'Gall',
    'All branches',
  ])
})

test('UI-19 a version with a running reply says so in the list', async () => {
  const busy = { state: 'busy', runId: 'run_1', startedAt: 0 } as const
  using page = fork({ status: (id) => (id === 'a' ? busy : { state: 'idle' }) })
  page.list()
  const item = await page.findByRole('menuitem', { name: /Oak/ })
  expect(item.textContent).toContain('Running')
  expect(page.getByRole('menuitem', { name: /Gall/ }).textContent).not.toContain('Running')
})

test('UI-19 arrow keys in the open list go to no other version', async () => {
  using page = fork()
  page.list()
  const item = await page.findByRole('menuitem', { name: /Oak/ })
  for (const key of ['ArrowLeft', 'ArrowRight']) fireEvent.keyDown(item, { key })
  expect(page.on.onSelect).not.toHaveBeenCalled()
})

test('UI-19 of more than two versions none is the one to compare with, and all branches are one press away', async () => {
  using page = fork()
  page.list()
  fireEvent.click(await page.findByRole('menuitem', { name: 'All branches' }))
  expect(page.on.onTree).toHaveBeenCalledOnce()
  expect(page.queryByRole('menuitem', { name: 'Compare with this one' })).toBeNull()
})

test('UI-19 the counts are asked for when the list is pointed at, focused or opened', () => {
  using page = fork()
  const button = page.getByRole('button', { name: 'Version 2 of 3' })
  fireEvent.pointerEnter(button)
  expect(page.on.onOpen).toHaveBeenCalledTimes(1)
  fireEvent.focus(button)
  expect(page.on.onOpen).toHaveBeenCalledTimes(2)
})

test('UI-23 what is where after a switch is announced once, and without it there is no live region', () => {
  const noted = (note?: string) => {
    using page = fork({ note })
    return page.queryByRole('status')?.textContent
  }
  expect([noted('3 messages on “Oak”'), noted()]).toEqual(['3 messages on “Oak”', undefined])
})

test('UI-19 a version that nothing follows says that it ends there', async () => {
  const [first, ...others] = VERSIONS
  if (first === undefined) throw new Error('No version')
  using page = fork({ versions: [{ ...first, count: { messages: 0, more: false } }, ...others] })
  page.list()
  const [item] = await page.findAllByRole('menuitem')
  expect(item?.textContent).toBe('Oakends here')
})
