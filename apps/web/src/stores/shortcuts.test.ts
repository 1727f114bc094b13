import { expect, test } from 'vitest'
import { shortcutGroups } from './shortcut-groups.ts'
import { matchesKeys as matches } from './shortcuts.ts'

const matchesKeys = (event: Parameters<typeof matches>[0], keys: string, mac = false) =>
  matches(event, keys, mac)

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
  expect(matchesKeys(press('k', { metaKey: true }), 'mod+k', true)).toBe(true)
  expect(matchesKeys(press('k', { ctrlKey: true }), 'mod+k')).toBe(true)
  expect(matchesKeys(press('k'), 'mod+k')).toBe(false)
})

test('UI-3 Control on a Mac belongs to the text, as the Windows key elsewhere belongs to the system', () => {
  expect(matchesKeys(press('k', { ctrlKey: true }), 'mod+k', true)).toBe(false)
  expect(matchesKeys(press('k', { metaKey: true }), 'mod+k')).toBe(false)
  expect(matchesKeys(press('k', { ctrlKey: true, metaKey: true }), 'mod+k', true)).toBe(false)
  expect(matchesKeys(press('Escape', { ctrlKey: true }), 'esc', true)).toBe(false)
})

test('UI-3 Shift distinguishes shortcuts of letters, and is ignored where it is needed to type a sign', () => {
  expect(matchesKeys(press('O', { ctrlKey: true, shiftKey: true }), 'mod+shift+o')).toBe(true)
  expect(matchesKeys(press('o', { ctrlKey: true }), 'mod+shift+o')).toBe(false)
  expect(matchesKeys(press('?', { shiftKey: true }), '?')).toBe(true)
})

test('UI-3 a key that was used already or composes a character is no shortcut', () => {
  expect(matchesKeys(press('Escape', { defaultPrevented: true }), 'esc')).toBe(false)
  expect(matchesKeys(press('k', { ctrlKey: true, isComposing: true }), 'mod+k')).toBe(false)
})

test('UI-3 a layout without Latin letters has its shortcuts where the others have them', () => {
  const cyrillic = press('л', { code: 'KeyK', ctrlKey: true })
  expect(matchesKeys(cyrillic, 'mod+k')).toBe(true)
  expect(matchesKeys(cyrillic, 'mod+l')).toBe(false)
  expect(matchesKeys(press('Щ', { code: 'KeyO', ctrlKey: true, shiftKey: true }), 'mod+shift+o')).toBe(true)
})

test('UI-3 a Latin layout is taken by what its keys say, wherever they are', () => {
  const dvorak = press('k', { code: 'KeyV', ctrlKey: true })
  expect(matchesKeys(dvorak, 'mod+k')).toBe(true)
  expect(matchesKeys(dvorak, 'mod+v')).toBe(false)
})

test('UI-3 a key that is held with Alt types a character and is no shortcut', () => {
  expect(matchesKeys(press('k', { ctrlKey: true, altKey: true }), 'mod+k')).toBe(false)
  expect(matchesKeys(press('?', { altKey: true }), '?')).toBe(false)
})

test('UI-3 capitals lock changes no shortcut', () => {
  expect(matchesKeys(press('K', { ctrlKey: true }), 'mod+k')).toBe(true)
})

test('UI-3 Esc and Shift Esc are two things', () => {
  const plain = press('Escape')
  const shifted = press('Escape', { shiftKey: true })
  expect([matchesKeys(plain, 'esc'), matchesKeys(shifted, 'esc')]).toEqual([true, false])
  expect([matchesKeys(plain, 'shift+esc'), matchesKeys(shifted, 'shift+esc')]).toEqual([false, true])
})

test.for(['enter', 'mod+enter'] as const)(
  'UI-3 no two shortcuts that are listed are the same but Esc, whose second meaning is twice Esc, where %s sends',
  (sendKey) => {
    const keys = shortcutGroups(sendKey).flatMap(({ shortcuts }) =>
      shortcuts.map((shortcut) => shortcut.keys),
    )
    const twice = keys.filter((key, at) => keys.indexOf(key) !== at)
    expect(twice).toEqual(['esc'])
  },
)
