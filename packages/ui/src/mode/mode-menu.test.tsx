// @vitest-environment happy-dom
import { PERMISSION_MODES, type PermissionMode } from '@palimpsest/core/domain'
import { fireEvent, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { en } from '../messages/en.ts'
import { show } from '../testing/show.tsx'
import { ModeMenu } from './mode-menu.tsx'

function modeMenu(mode: PermissionMode) {
  const onChange = vi.fn<(mode: PermissionMode) => void>()
  const page = show(<ModeMenu mode={mode} onChange={onChange} />)
  const button = () => page.getByRole('button', { name: /^Mode/, hidden: true })
  const choose = (one: PermissionMode) => {
    fireEvent.click(button())
    const items = page.getAllByRole('menuitem')
    const item = items[PERMISSION_MODES.indexOf(one)]
    if (!item) throw new Error(`The menu was to offer ${one}.`)
    fireEvent.click(item)
  }
  const question = () => page.findByRole('dialog', { name: 'Give full access?' })
  return Object.assign(page, { onChange, button, choose, question })
}

test.each(PERMISSION_MODES)('PE-6 the button names the mode %s', (mode) => {
  using page = modeMenu(mode)
  expect(page.button().textContent).toBe(`Mode: ${en.mode.names[mode]}`)
})

test('PE-6 the menu lists every mode with what it allows, and says which is chosen', () => {
  using page = modeMenu('plan')
  fireEvent.click(page.button())
  const rows = page.getAllByRole('menuitem')
  expect(rows).toHaveLength(PERMISSION_MODES.length)
  for (const [at, mode] of PERMISSION_MODES.entries()) {
    expect(rows[at]?.textContent).toContain(en.mode.names[mode])
    expect(rows[at]?.textContent).toContain(en.mode.descriptions[mode])
    expect(rows[at]?.textContent?.includes(', chosen')).toBe(mode === 'plan')
  }
})

test.each(['ask', 'accept-edits', 'plan'] as const)('PE-6 the mode %s is chosen at once', (mode) => {
  using page = modeMenu('full-access')
  page.choose(mode)
  expect(page.onChange.mock.calls).toEqual([[mode]])
  expect(page.queryByRole('dialog')).toBeNull()
})

test.each(PERMISSION_MODES)('PE-6 choosing the mode %s again changes nothing and asks nothing', (mode) => {
  using page = modeMenu(mode)
  page.choose(mode)
  expect(page.onChange).not.toHaveBeenCalled()
  expect(page.queryByRole('dialog')).toBeNull()
})

test.each(['ask', 'accept-edits', 'plan'] as const)(
  'PE-6 from the mode %s full access is not given before it is confirmed',
  async (mode) => {
    using page = modeMenu(mode)
    page.choose('full-access')
    const question = await page.question()
    expect(question.textContent).toContain('Rules that deny still count.')
    expect(page.onChange).not.toHaveBeenCalled()
    fireEvent.click(within(question).getByRole('button', { name: 'Give full access' }))
    expect(page.onChange.mock.calls).toEqual([['full-access']])
  },
)

test('PE-6 the focus of the question starts on Cancel, which gives nothing', async () => {
  using page = modeMenu('ask')
  page.choose('full-access')
  const question = await page.question()
  const cancel = within(question).getByRole('button', { name: 'Cancel' })
  await vi.waitFor(() => expect(document.activeElement).toBe(cancel))
  fireEvent.click(cancel)
  expect(page.onChange).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(page.queryByRole('dialog', { name: 'Give full access?' })).toBeNull())
})

test('PE-6 Esc leaves the question without full access, and it is asked again the next time', async () => {
  using page = modeMenu('ask')
  page.choose('full-access')
  fireEvent.keyDown(await page.question(), { key: 'Escape' })
  await vi.waitFor(() => expect(page.queryByRole('dialog', { name: 'Give full access?' })).toBeNull())
  expect(page.onChange).not.toHaveBeenCalled()
  page.choose('full-access')
  expect(await page.question()).toBeTruthy()
  expect(page.onChange).not.toHaveBeenCalled()
})

test('PE-6 full access is set apart by the colour of danger, on the button and in the menu', () => {
  using page = modeMenu('full-access')
  expect(page.button().className).toContain('text-danger')
  fireEvent.click(page.button())
  const dangerous = page.getAllByRole('menuitem').filter((row) => row.className.includes('text-danger'))
  expect(dangerous.map((row) => row.textContent)).toEqual([
    expect.stringContaining(en.mode.names['full-access']),
  ])
})

test('UI-23 the menu is opened by key at its first mode, and Esc returns the focus', async () => {
  using page = modeMenu('ask')
  const button = page.button()
  button.focus()
  fireEvent.keyDown(button, { key: 'ArrowDown' })
  await vi.waitFor(() => expect(document.activeElement).toBe(page.getAllByRole('menuitem')[0]))
  fireEvent.keyDown(page.getByRole('menu'), { key: 'Escape' })
  await vi.waitFor(() => expect(button.getAttribute('aria-expanded')).toBe('false'))
  expect(page.onChange).not.toHaveBeenCalled()
})
