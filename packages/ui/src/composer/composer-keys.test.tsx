// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { stubMedia } from '../testing/stub-media.ts'
import { Composer } from './composer.tsx'
import type { ComposerHandle, ComposerProps } from './composer-field.tsx'
import type { SlashCommand } from './slash-command.ts'

afterEach(() => void vi.unstubAllGlobals())

const commands: SlashCommand[] = [
  { name: 'model', description: 'Choose a model' },
  { name: 'rename', description: 'Name this chat', takes: 'title' },
  { name: 'rewind', description: 'Go back' },
]

function open(props: Partial<ComposerProps> = {}) {
  const on = {
    onValueChange: vi.fn(),
    onAttach: vi.fn(),
    onRemoveAttachment: vi.fn(),
    onSend: vi.fn(),
    onStop: vi.fn(),
    onCommand: vi.fn(),
    onRecall: vi.fn(),
  }
  const element = (more: Partial<ComposerProps> = {}) => (
    <Composer value="" attachments={[]} running={false} {...on} {...props} {...more} />
  )
  const page = show(element())
  const field = page.getByRole('textbox', { name: 'Message' })
  const press = (key: string, held = {}) => fireEvent.keyDown(field, { key, ...held })
  return Object.assign(page, { on, element, field, press })
}

const selected = (page: ReturnType<typeof open>) =>
  page.getAllByRole('option').find((option) => option.getAttribute('aria-selected') === 'true')?.textContent

test('UI-15 Shift Enter is left to the field, which breaks the line', () => {
  using page = open({ value: 'One' })
  expect(page.press('Enter', { shiftKey: true })).toBe(true)
  expect(page.on.onSend).not.toHaveBeenCalled()
})

test('UI-15 Enter of an input method sends nothing', () => {
  using page = open({ value: 'にほ', running: true })
  expect(page.press('Enter', { isComposing: true })).toBe(true)
  expect(page.press('Escape', { isComposing: true })).toBe(true)
  expect(page.on.onSend).not.toHaveBeenCalled()
  expect(page.on.onStop).not.toHaveBeenCalled()
})

test.each([
  ['queues', {}, 'queue'],
  ['with ⌘ steers', { metaKey: true }, 'steer'],
  ['with Ctrl steers', { ctrlKey: true }, 'steer'],
  ['with ⌘ ⇧ interrupts', { metaKey: true, shiftKey: true }, 'interrupt'],
])('UI-15 while a run is on Enter %s', (_, held, mode) => {
  using page = open({ value: 'Next', running: true })
  page.press('Enter', held)
  expect(page.on.onSend.mock.calls).toEqual([[mode]])
})

test('UI-15 Esc stops a run, whatever is written, and means nothing else', () => {
  using page = open({ value: 'Next', running: true })
  expect(page.press('Escape')).toBe(false)
  page.rerender(page.element({ running: false }))
  expect(page.press('Escape')).toBe(true)
  expect(page.on.onStop).toHaveBeenCalledOnce()
})

test('UI-15 ↑ brings the last prompt back into an empty field only', () => {
  using page = open()
  page.press('ArrowUp')
  page.rerender(page.element({ value: 'Words' }))
  expect(page.press('ArrowUp')).toBe(true)
  expect(page.on.onRecall).toHaveBeenCalledOnce()
})

test('UI-15 under a finger Enter breaks the line, and the button sends', () => {
  using _media = stubMedia()
  using page = open({ value: 'One' })
  expect(page.press('Enter')).toBe(true)
  expect(page.on.onSend).not.toHaveBeenCalled()
  fireEvent.click(page.getByRole('button', { name: 'Send' }))
  expect(page.on.onSend.mock.calls).toEqual([['send']])
})

test('UI-15 a finger stops a run whatever is written, beside the button that queues', () => {
  using _media = stubMedia()
  using page = open({ value: 'Next', running: true })
  fireEvent.click(page.getByRole('button', { name: 'Stop' }))
  expect(page.on.onStop).toHaveBeenCalledOnce()
  fireEvent.click(page.getByRole('button', { name: 'Queue' }))
  expect(page.on.onSend.mock.calls).toEqual([['queue']])
  page.rerender(page.element({ value: '' }))
  expect(page.getAllByRole('button', { name: 'Stop' })).toHaveLength(1)
})

test('UI-15 what can’t go out yet stays: neither a key nor the button sends it', () => {
  using page = open({ value: 'One', disabled: true })
  page.press('Enter')
  const button = page.getByRole('button', { name: 'Send' })
  fireEvent.click(button)
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(page.on.onSend).not.toHaveBeenCalled()
})

test('UI-12 the arrows choose among the commands that fit, and Enter runs the chosen one', () => {
  using page = open({ value: '/re', commands })
  expect(page.getAllByRole('option')).toHaveLength(2)
  page.press('ArrowDown')
  expect(selected(page)).toContain('/rewind')
  page.press('Enter')
  expect(page.on.onCommand.mock.calls).toEqual([['rewind', '']])
})

test('UI-12 a command that takes words is written out first', () => {
  using page = open({ value: '/ren', commands })
  page.press('Enter')
  expect(page.on.onValueChange.mock.calls).toEqual([['/rename ']])
  expect(page.on.onCommand).not.toHaveBeenCalled()
})

test('UI-12 the rest of the line goes to the command', () => {
  using page = open({ value: '/rename Iron gall ink', commands })
  expect(page.queryByRole('listbox')).toBeNull()
  page.press('Enter')
  expect(page.on.onCommand.mock.calls).toEqual([['rename', 'Iron gall ink']])
  expect(page.on.onSend).not.toHaveBeenCalled()
})

test('UI-12 a command is chosen with a pointer, and the focus stays in the text', () => {
  using page = open({ value: '/', commands })
  page.field.focus()
  const option = page.getByRole('option', { name: /rewind/ })
  expect(fireEvent.pointerDown(option)).toBe(false)
  fireEvent.pointerMove(option)
  expect(selected(page)).toContain('/rewind')
  fireEvent.click(option)
  expect(page.on.onCommand.mock.calls).toEqual([['rewind', '']])
  expect(document.activeElement).toBe(page.field)
})

test('UI-12 the field names the list that it leads', () => {
  using page = open({ value: '/', commands })
  expect(page.field.getAttribute('aria-controls')).toBe(page.getByRole('listbox').id)
  const active = document.getElementById(page.field.getAttribute('aria-activedescendant') ?? '')
  expect(active?.textContent).toContain('/model')
})

test('UI-12 a command that does not exist is said to be text before it is sent', () => {
  using page = open({ value: '/etc/passwd', commands })
  expect(page.getByText('No such command: it is sent as text.')).toBeTruthy()
  page.rerender(page.element({ value: 'a /etc' }))
  expect(page.queryByRole('listbox')).toBeNull()
})

test('UI-23 a ref to the composer can focus it', () => {
  const ref = createRef<ComposerHandle>()
  using page = open({ ref })
  act(() => ref.current?.focus())
  expect(document.activeElement).toBe(page.field)
})
