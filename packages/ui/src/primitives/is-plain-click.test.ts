import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPlainClick } from './is-plain-click.ts'

const bare = { button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false }

test('UI-1 a click of the first button without a key is one that goes there here', () => {
  expect(isPlainClick(bare)).toBe(true)
})

test.each([
  ['the middle button', { button: 1 }],
  ['the second button', { button: 2 }],
  ['⌘', { metaKey: true }],
  ['Ctrl', { ctrlKey: true }],
  ['Shift', { shiftKey: true }],
  ['Alt', { altKey: true }],
])('UI-1 a click with %s is left to the browser', (_, facts) => {
  expect(isPlainClick({ ...bare, ...facts })).toBe(false)
})

test('UI-1 a click is never taken from the browser while any key is held', () => {
  const clicks = fc.record({
    button: fc.nat(4),
    metaKey: fc.boolean(),
    ctrlKey: fc.boolean(),
    shiftKey: fc.boolean(),
    altKey: fc.boolean(),
  })
  fc.assert(
    fc.property(clicks, ({ button, ...keys }) => {
      expect(isPlainClick({ button, ...keys })).toBe(button === 0 && !Object.values(keys).includes(true))
    }),
  )
})
