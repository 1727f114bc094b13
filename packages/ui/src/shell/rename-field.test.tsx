// @vitest-environment happy-dom
import { LIMITS } from '@palimpsest/core/domain'
import { fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { RenameField } from './rename-field.tsx'

function renaming(title: string) {
  const onDone = vi.fn<(title: string | null) => void>()
  const outside = vi.fn()
  const page = show(
    // biome-ignore lint/a11y/noStaticElementInteractions: it is what is around the field in a list
    <div onKeyDown={outside}>
      <RenameField title={title} onDone={onDone} />
    </div>,
  )
  const field = page.getByRole('textbox', { name: 'Name of the chat' })
  if (!(field instanceof HTMLInputElement)) throw new Error('The name was to be in a field.')
  const write = (value: string) => fireEvent.change(field, { target: { value } })
  const press = (key: string, facts = {}) => fireEvent.keyDown(field, { key, ...facts })
  return Object.assign(page, { onDone, outside, field, write, press })
}

test('UI-1 the field has the whole name selected, so that typing replaces it', () => {
  using page = renaming('Iron gall')
  expect(document.activeElement).toBe(page.field)
  expect([page.field.selectionStart, page.field.selectionEnd]).toEqual([0, 'Iron gall'.length])
})

test('UI-1 a name is no longer than a chat may be called', () => {
  using page = renaming('Iron gall')
  expect(page.field.maxLength).toBe(LIMITS.titleCharacters)
})

test('UI-1 a name that is saved by Enter is not saved again as the field goes', () => {
  using page = renaming('Iron gall')
  page.write('Oak gall')
  expect(page.press('Enter')).toBe(false)
  fireEvent.blur(page.field)
  expect(page.onDone.mock.calls).toEqual([['Oak gall']])
})

test('UI-1 a name that was left by Esc is not saved as the field goes', () => {
  using page = renaming('Iron gall')
  page.write('Oak gall')
  page.press('Escape')
  fireEvent.blur(page.field)
  expect(page.onDone.mock.calls).toEqual([[null]])
})

test('UI-1 keys of the field reach nothing around it, such as what moves between the chats', () => {
  using page = renaming('Iron gall')
  for (const key of ['ArrowDown', 'Home', 'F2', 'a', 'Enter', 'Escape']) page.press(key)
  expect(page.outside).not.toHaveBeenCalled()
})

test('UI-1 Esc of an input method leaves the field open', () => {
  using page = renaming('墨')
  page.press('Escape', { isComposing: true })
  page.press('Enter', { isComposing: true })
  expect(page.onDone).not.toHaveBeenCalled()
})

test('UI-1 a key that ends nothing leaves the field open', () => {
  using page = renaming('Iron gall')
  for (const key of ['Tab', 'ArrowLeft', 'Shift', 'x']) expect(page.press(key)).toBe(true)
  expect(page.onDone).not.toHaveBeenCalled()
})

test('UI-1 a new name never has space around it, and is never empty or the one before', () => {
  const names = fc.string({ unit: fc.constantFrom(' ', '\t', 'a', 'ß', '墨'), maxLength: 8 })
  fc.assert(
    fc.property(names, fc.constantFrom('Enter', 'blur'), (name, way) => {
      using page = renaming('Iron gall')
      page.write(name)
      if (way === 'blur') fireEvent.blur(page.field)
      else page.press(way)
      expect(page.onDone.mock.calls).toEqual([[name.trim() === '' ? null : name.trim()]])
    }),
    { numRuns: 40 },
  )
})

test.each(['Iron gall', '  Iron gall  ', 'Iron gall\t'])('UI-1 the name %j is that of before', (same) => {
  using page = renaming('Iron gall')
  page.write(same)
  page.press('Enter')
  expect(page.onDone.mock.calls).toEqual([[null]])
})
