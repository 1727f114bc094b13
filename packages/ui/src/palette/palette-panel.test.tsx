// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import type { PaletteCommand } from './palette-command.ts'
import { PalettePanel } from './palette-panel.tsx'

const command = (label: string, facts: Partial<PaletteCommand> = {}): PaletteCommand => ({
  id: label,
  label,
  group: 'Go',
  onRun: vi.fn(),
  ...facts,
})

function palette(commands: readonly PaletteCommand[], onQueryChange?: (query: string) => void) {
  const onClose = vi.fn()
  const element = (shown: readonly PaletteCommand[]) => (
    <PalettePanel commands={shown} onQueryChange={onQueryChange} onClose={onClose} />
  )
  const page = show(element(commands))
  const field = page.getByRole('combobox', { name: 'Command palette' })
  const type = (value: string) => fireEvent.change(field, { target: { value } })
  const press = (key: string) => fireEvent.keyDown(field, { key })
  const rows = () => page.queryAllByRole('option').map((row) => row.textContent)
  const active = () =>
    document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent ?? null
  return Object.assign(page, { onClose, element, field, type, press, rows, active })
}

const COMMANDS = [
  command('New chat', { keys: 'mod+k' }),
  command('Dark', { group: 'Theme', keywords: 'night colours' }),
  command('Open archive'),
]

test('UI-3 commands of a group are together, the groups in the order of their first command', () => {
  using page = palette(COMMANDS)
  expect(page.getAllByRole('group').map((group) => group.getAttribute('aria-label'))).toEqual(['Go', 'Theme'])
  expect(page.rows()).toEqual(['New chatCtrlK', 'Open archive', 'Dark'])
})

test.each([
  ['its label', 'arch', ['Open archive']],
  ['its group', 'theme', ['Dark']],
  ['its keywords', 'COLOURS', ['Dark']],
  ['words of its group and label', 'dark theme', ['Dark']],
  ['space around a word', '  archive  ', ['Open archive']],
])('UI-3 a command is found by %s', (_, query, found) => {
  using page = palette(COMMANDS)
  page.type(query)
  expect(page.rows()).toEqual(found)
})

test('UI-3 keys of a command are shown and are no words of it', () => {
  using page = palette(COMMANDS)
  page.type('ctrl')
  expect(page.rows()).toEqual([])
})

test('UI-3 the query is passed on as it is typed, with its space', () => {
  const onQueryChange = vi.fn()
  using page = palette(COMMANDS, onQueryChange)
  page.type(' dark ')
  page.type('')
  expect(onQueryChange.mock.calls).toEqual([[' dark '], ['']])
})

test('UI-3 results that come later from elsewhere are listed behind, and the active command stays', () => {
  using page = palette(COMMANDS)
  page.press('ArrowDown')
  expect(page.active()).toBe('Open archive')
  page.rerender(page.element([...COMMANDS, command('Iron gall', { group: 'Chats' })]))
  expect(page.rows().at(-1)).toBe('Iron gall')
  expect(page.active()).toBe('Open archive')
})

test('UI-3 results that go away while the last is active leave one that Enter runs', () => {
  using page = palette(COMMANDS)
  page.press('ArrowUp')
  expect(page.active()).toBe('Dark')
  page.rerender(page.element(COMMANDS.slice(0, 1)))
  expect(page.active()).toBe('New chatCtrlK')
  page.press('Enter')
  expect(COMMANDS[0]?.onRun).toHaveBeenCalledOnce()
})

test('UI-3 the palette closes before its command runs, so that what it opens has the focus', () => {
  const order: string[] = []
  using page = palette([command('Rename', { onRun: () => order.push('run') })])
  page.onClose.mockImplementation(() => order.push('close'))
  page.press('Enter')
  expect(order).toEqual(['close', 'run'])
})

test('UI-3 two commands of one name are two, each of which runs itself', () => {
  const twins = [command('Iron gall', { id: 'a' }), command('Iron gall', { id: 'b' })]
  using page = palette(twins)
  fireEvent.click(page.getAllByRole('option')[1] ?? page.container)
  expect(twins.map(({ onRun }) => vi.mocked(onRun).mock.calls.length)).toEqual([0, 1])
})

test('UI-3 a palette without commands says that nothing matches, and no key closes it', () => {
  using page = palette([])
  expect(page.getByText('Nothing matches')).toBeTruthy()
  for (const key of ['Enter', 'ArrowDown', 'PageUp']) expect(page.press(key)).toBe(true)
  expect(page.onClose).not.toHaveBeenCalled()
})

test('UI-3 a label that is markup is text', () => {
  using page = palette([command('<b onclick="x">Bold</b>')])
  expect(page.rows()).toEqual(['<b onclick="x">Bold</b>'])
  expect(page.container.querySelector('b')).toBeNull()
})

test('UI-3 whatever the order of the commands, Enter always runs the one that is seen as active', () => {
  const groups = fc.array(fc.constantFrom('Go', 'Chat', 'Theme'), { minLength: 1, maxLength: 8 })
  const steps = fc.array(fc.constantFrom('ArrowDown', 'ArrowUp', 'PageDown'), { maxLength: 8 })
  fc.assert(
    fc.property(groups, steps, (of, keys) => {
      const commands = of.map((group, at) => command(`Command ${at}`, { group }))
      using page = palette(commands)
      for (const key of keys) page.press(key)
      const seen = page.active()
      page.press('Enter')
      const ran = commands.filter(({ onRun }) => vi.mocked(onRun).mock.calls.length > 0)
      expect(ran.map(({ label }) => label)).toEqual([seen])
    }),
    { numRuns: 25 },
  )
})
