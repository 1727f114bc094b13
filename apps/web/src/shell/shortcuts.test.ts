import { expect, test } from 'vitest'
import { matchesKeys } from './shortcuts.ts'

const press = (key: string, held: Partial<KeyboardEvent> = {}) => ({
  key,
  code: '',
  metaKey: false,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  isComposing: false,
  defaultPrevented: false,
  ...held,
})

test('UI-3 mod is Command on a Mac and Control elsewhere', () => {
  expect(matchesKeys(press('k', { metaKey: true }), 'mod+k')).toBe(true)
  expect(matchesKeys(press('k', { ctrlKey: true }), 'mod+k')).toBe(true)
  expect(matchesKeys(press('k'), 'mod+k')).toBe(false)
})

test('UI-3 Shift tells letters apart and is part of typing a sign', () => {
  expect(matchesKeys(press('O', { ctrlKey: true, shiftKey: true }), 'mod+shift+o')).toBe(true)
  expect(matchesKeys(press('o', { ctrlKey: true }), 'mod+shift+o')).toBe(false)
  expect(matchesKeys(press('?', { shiftKey: true }), '?')).toBe(true)
})

test('UI-3 a key that was used already or composes a character is no shortcut', () => {
  expect(matchesKeys(press('Escape', { defaultPrevented: true }), 'esc')).toBe(false)
  expect(matchesKeys(press('k', { ctrlKey: true, isComposing: true }), 'mod+k')).toBe(false)
})
