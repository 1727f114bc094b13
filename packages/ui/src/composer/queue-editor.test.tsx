// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { QueueEditor } from './queue-editor.tsx'

function editing(text: string) {
  const on = { onDone: vi.fn<(text: string | null) => void>(), onLeft: vi.fn<(text: string) => void>() }
  const page = show(<QueueEditor text={text} {...on} />)
  const field = page.getByRole('textbox', { name: 'Queued message' })
  if (!(field instanceof HTMLTextAreaElement)) throw new Error('The message was to be in a field.')
  const write = (value: string) => fireEvent.change(field, { target: { value } })
  const press = (key: string, facts = {}) => fireEvent.keyDown(field, { key, ...facts })
  const button = (name: string) => fireEvent.click(page.getByRole('button', { name }))
  return Object.assign(page, { on, field, write, press, button })
}

test('UI-15 a message that is edited is in the field as it was written, with its line ends', () => {
  using page = editing('Oak\n\n  gall')
  expect(page.field.value).toBe('Oak\n\n  gall')
  expect(document.activeElement).toBe(page.field)
})

test('UI-15 Save and Enter give the new text, Cancel and Esc none', () => {
  for (const [end, expected] of [
    [(page: ReturnType<typeof editing>) => page.button('Save'), 'Oak'],
    [(page: ReturnType<typeof editing>) => page.press('Enter'), 'Oak'],
    [(page: ReturnType<typeof editing>) => page.button('Cancel'), null],
    [(page: ReturnType<typeof editing>) => page.press('Escape'), null],
  ] as const) {
    using page = editing('Iron')
    page.write('Oak')
    end(page)
    expect(page.on.onDone.mock.calls).toEqual([[expected]])
  }
})

test('UI-15 text that was not saved is reported once when its field goes, without the space around it', () => {
  const page = editing('Iron')
  page.write('Oak')
  page.write('  Oak gall ')
  page.unmount()
  expect(page.on.onLeft.mock.calls).toEqual([['Oak gall']])
  expect(page.on.onDone).not.toHaveBeenCalled()
})

test.each([
  ['a field that nobody wrote in', []],
  ['text that was written and taken back', ['Oak', 'Iron']],
  ['text that was emptied', ['Oak', '  ']],
])('UI-15 %s is not reported when it goes', (_, values) => {
  const page = editing('Iron')
  for (const value of values) page.write(value)
  page.unmount()
  expect(page.on.onLeft).not.toHaveBeenCalled()
})

test('UI-15 the report goes to the listener of the last drawing', () => {
  const page = editing('Iron')
  page.write('Oak')
  const later = vi.fn()
  page.rerender(<QueueEditor text="Iron" onDone={page.on.onDone} onLeft={later} />)
  page.unmount()
  expect(later.mock.calls).toEqual([['Oak']])
  expect(page.on.onLeft).not.toHaveBeenCalled()
})

test('UI-15 Enter that saves adds no line, Shift Enter does', () => {
  using page = editing('Iron')
  expect(page.press('Enter', { shiftKey: true })).toBe(true)
  expect(page.on.onDone).not.toHaveBeenCalled()
  expect(page.press('Enter')).toBe(false)
})

test('UI-15 an edit always gives either null or a text that differs, and reports nothing after it', () => {
  const texts = fc.string({ unit: fc.constantFrom(' ', '\n', 'a', 'é', '墨'), maxLength: 6 })
  fc.assert(
    fc.property(texts, fc.constantFrom('Enter', 'Escape'), (text, key) => {
      const page = editing('Iron')
      page.write(text)
      page.press(key)
      page.unmount()
      document.body.replaceChildren()
      const changed = key === 'Enter' && text.trim() !== '' ? text.trim() : null
      expect(page.on.onDone.mock.calls).toEqual([[changed]])
      expect(page.on.onLeft).not.toHaveBeenCalled()
    }),
    { numRuns: 40 },
  )
})
