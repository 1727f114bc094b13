import { expect, test } from 'vitest'
import { composerKey, type KeyFacts } from './composer-key.ts'

const idle: KeyFacts = {
  key: 'Enter',
  shift: false,
  mod: false,
  composing: false,
  running: false,
  empty: false,
  touch: false,
}
const running = { ...idle, running: true }

test.each([
  ['Enter sends', idle, 'send'],
  ['Enter queues while a run is on', running, 'queue'],
  ['⌘ Enter steers a run', { ...running, mod: true }, 'steer'],
  ['⌘ ⇧ Enter interrupts a run', { ...running, mod: true, shift: true }, 'interrupt'],
  ['⌘ Enter sends without a run', { ...idle, mod: true }, 'send'],
  ['⌘ Enter sends under a finger', { ...idle, mod: true, touch: true }, 'send'],
] as const)('UI-15 %s', (_, facts, mode) => {
  expect(composerKey(facts)).toEqual({ type: 'send', mode })
})

test.each([
  ['Shift Enter breaks the line', { ...idle, shift: true }],
  ['Enter breaks the line under a finger', { ...idle, touch: true }],
  ['Enter of an input method chooses a word', { ...running, composing: true }],
  ['Esc means nothing without a run', { ...idle, key: 'Escape' }],
  ['↑ moves in a text', { ...idle, key: 'ArrowUp' }],
  ['letters are letters', { ...idle, key: 'a' }],
])('UI-15 %s', (_, facts) => {
  expect(composerKey(facts)).toBeNull()
})

test('UI-15 Esc stops a run and ↑ in an empty field recalls', () => {
  expect(composerKey({ ...running, key: 'Escape' })).toEqual({ type: 'stop' })
  expect(composerKey({ ...idle, key: 'ArrowUp', empty: true })).toEqual({ type: 'recall' })
})
