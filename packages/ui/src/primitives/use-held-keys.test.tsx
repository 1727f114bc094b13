// @vitest-environment happy-dom
import { fireEvent, render } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdKeys } from './hold-keys.ts'
import { useHeldKeys } from './use-held-keys.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
  document.body.replaceChildren()
})

function add<Tag extends 'textarea' | 'input' | 'button'>(tag: Tag, around?: Element) {
  const element = document.createElement(tag)
  ;(around ?? document.body).append(element)
  return element
}

function addDialog(role = 'dialog'): HTMLElement {
  const dialog = document.createElement(role === 'search' ? 'search' : 'div')
  if (role !== 'search') dialog.setAttribute('role', role)
  document.body.append(dialog)
  return dialog
}

/** Returns whether the page itself may act on the key. */
const press = (target: Element, key: string, held = {}) => fireEvent.keyDown(target, { key, ...held })

test.each(['dialog', 'alertdialog', 'search'])('UI-37 held keys are typed into the field of a %s', (role) => {
  const message = add('textarea')
  message.focus()
  holdKeys()
  for (const key of 'ink') press(message, key)
  const field = add('input', addDialog(role))
  field.focus()
  expect([message.value, field.value]).toEqual(['', 'ink'])
})

test('UI-37 a focus that goes elsewhere on the page takes no held key', () => {
  const message = add('textarea')
  const other = add('input')
  const end = holdKeys()
  press(message, 'a')
  other.focus()
  expect(other.value).toBe('')
  expect(press(other, 'b')).toBe(false)
  end()
})

test('UI-37 what is held is dropped when the dialog is not opened after all', () => {
  const message = add('textarea')
  const end = holdKeys()
  press(message, 'a')
  end()
  const field = add('input', addDialog())
  field.focus()
  expect(field.value).toBe('')
})

test.each([
  ['Ctrl', { ctrlKey: true }],
  ['⌘', { metaKey: true }],
  ['Alt', { altKey: true }],
  ['an input method', { isComposing: true }],
])('UI-37 keys with %s are neither held nor typed later', (_, facts) => {
  const message = add('textarea')
  holdKeys()
  expect(press(message, 'k', facts)).toBe(true)
  const field = add('input', addDialog())
  field.focus()
  expect(field.value).toBe('')
})

test('UI-37 keys in a dialog that is open already are its own', () => {
  const field = add('input', addDialog())
  field.focus()
  holdKeys()
  expect(press(field, 'a')).toBe(true)
  const message = add('textarea')
  expect(press(message, 'a')).toBe(true)
})

test('UI-37 keys that are held reach no listener of the page, such as one of shortcuts', () => {
  const message = add('textarea')
  const shortcuts = vi.fn()
  document.addEventListener('keydown', shortcuts)
  const end = holdKeys()
  press(message, '?')
  end()
  expect(shortcuts).not.toHaveBeenCalled()
  document.removeEventListener('keydown', shortcuts)
})

test('UI-37 the dialog gets each key as an event, with its code and Shift, in the order of typing', () => {
  const message = add('textarea')
  holdKeys()
  press(message, 'A', { code: 'KeyA', shiftKey: true })
  press(message, 'Enter', { code: 'Enter' })
  const dialog = addDialog()
  const seen: unknown[] = []
  dialog.addEventListener('keydown', ({ key, code, shiftKey }) => seen.push([key, code, shiftKey]))
  add('input', dialog).focus()
  expect(seen).toEqual([
    ['A', 'KeyA', true],
    ['Enter', 'Enter', false],
  ])
})

test('UI-37 a key that the dialog uses itself is not typed', () => {
  const message = add('textarea')
  holdKeys()
  for (const key of '1a') press(message, key)
  const dialog = addDialog()
  dialog.addEventListener('keydown', (event) => event.key === '1' && event.preventDefault())
  const field = add('input', dialog)
  field.focus()
  expect(field.value).toBe('a')
})

test('UI-37 keys with a name are not typed as their name', () => {
  const message = add('textarea')
  holdKeys()
  for (const key of ['Tab', 'Enter', 'ArrowDown', 'Shift', 'F2', 'Dead']) press(message, key)
  const field = add('input', addDialog())
  field.focus()
  expect(field.value).toBe('')
})

test('UI-37 typing replaces what is selected in the field, and Backspace takes it out', () => {
  const message = add('textarea')
  const open = (keys: string[]) => {
    holdKeys()
    for (const key of keys) press(message, key)
    const field = add('input', addDialog())
    field.value = 'gall'
    field.setSelectionRange(1, 3)
    field.focus()
    return field.value
  }
  expect(open(['x'])).toBe('gxl')
  document.querySelector('[role=dialog]')?.remove()
  message.focus()
  expect(open(['Backspace'])).toBe('gl')
})

test('UI-37 a dialog without a field gets the keys, and nothing is typed anywhere', () => {
  const message = add('textarea')
  holdKeys()
  press(message, 'x')
  const dialog = addDialog()
  const heard = vi.fn()
  dialog.addEventListener('keydown', heard)
  add('button', dialog).focus()
  expect(heard).toHaveBeenCalledOnce()
  expect(message.value).toBe('')
})

test('UI-37 a dialog that comes after five seconds gets nothing that was typed before', () => {
  const message = add('textarea')
  holdKeys()
  press(message, 'a')
  vi.advanceTimersByTime(4_999)
  expect(press(message, 'b')).toBe(false)
  vi.advanceTimersByTime(1)
  expect(press(message, 'c')).toBe(true)
  const field = add('input', addDialog())
  field.focus()
  expect(field.value).toBe('')
})

test('UI-37 keys are held once, however often a dialog is asked for', () => {
  const message = add('textarea')
  const ends = [holdKeys(), holdKeys()]
  press(message, 'a')
  const field = add('input', addDialog())
  field.focus()
  expect(field.value).toBe('a')
  for (const end of ends) end()
})

function Waits({ open }: { open: boolean }) {
  useHeldKeys(open)
  return null
}

test('UI-37 a component holds keys exactly while what it opens is wanted', () => {
  const message = add('textarea')
  const held = () => !press(message, 'a')
  const page = render(<Waits open={false} />)
  expect(held()).toBe(false)
  page.rerender(<Waits open />)
  expect(held()).toBe(true)
  page.rerender(<Waits open={false} />)
  expect(held()).toBe(false)
  page.rerender(<Waits open />)
  page.unmount()
  expect(held()).toBe(false)
})

test('UI-37 the field always holds what typing the same keys into it would give', () => {
  const keys = fc.array(fc.constantFrom('a', 'é', ' ', 'Backspace', 'Shift'), { maxLength: 12 })
  fc.assert(
    fc.property(keys, (pressed) => {
      document.body.replaceChildren()
      const message = add('textarea')
      holdKeys()
      for (const key of pressed) press(message, key)
      const field = add('input', addDialog())
      field.focus()
      const typed = pressed.reduce(
        (text, key) => (key === 'Backspace' ? text.slice(0, -1) : key === 'Shift' ? text : text + key),
        '',
      )
      expect([field.value, message.value]).toEqual([typed, ''])
    }),
    { numRuns: 60 },
  )
})
