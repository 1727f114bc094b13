import fc from 'fast-check'
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
  sendKey: 'enter',
}
const running = { ...idle, running: true }
const onMod = { ...idle, sendKey: 'mod+enter' as const, mod: true }

test.each([
  ['Enter sends', idle, 'send'],
  ['Enter queues while a run is on', running, 'queue'],
  ['⌘ Enter steers a run', { ...running, mod: true }, 'steer'],
  ['⌘ ⇧ Enter interrupts a run', { ...running, mod: true, shift: true }, 'interrupt'],
  ['⌘ Enter sends without a run', { ...idle, mod: true }, 'send'],
  ['⌘ Enter sends where it is the send key', onMod, 'send'],
  ['⌘ Enter queues where it is the send key', { ...onMod, running: true }, 'queue'],
  ['⌘ ⇧ Enter steers where ⌘ Enter is the send key', { ...onMod, running: true, shift: true }, 'steer'],
  ['⌘ Enter sends under a finger', { ...idle, mod: true, touch: true }, 'send'],
] as const)('UI-15 %s', (_, facts, mode) => {
  expect(composerKey(facts)).toEqual({ type: 'send', mode })
})

test.each([
  ['Shift Enter breaks the line', { ...idle, shift: true }],
  ['Enter breaks the line where ⌘ Enter is the send key', { ...onMod, mod: false }],
  [
    'Enter breaks the line during a run where ⌘ Enter is the send key',
    { ...onMod, mod: false, running: true },
  ],
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

const KEYS = fc.record<KeyFacts>({
  key: fc.constantFrom('Enter', 'Escape', 'ArrowUp', 'ArrowDown', 'a', 'Tab'),
  shift: fc.boolean(),
  mod: fc.boolean(),
  composing: fc.boolean(),
  running: fc.boolean(),
  empty: fc.boolean(),
  touch: fc.boolean(),
  sendKey: fc.constantFrom('enter', 'mod+enter'),
})

test('UI-15 without a run every key that sends sends at once, and none queues, steers, interrupts or stops', () => {
  fc.assert(
    fc.property(KEYS, (facts) => {
      const action = composerKey({ ...facts, running: false })
      if (action?.type === 'send') expect(action.mode).toBe('send')
      expect(action?.type).not.toBe('stop')
    }),
  )
})

test('UI-15 while a run is on no key sends past it', () => {
  fc.assert(
    fc.property(KEYS, (facts) => {
      const action = composerKey({ ...facts, running: true })
      if (action?.type === 'send') expect(['queue', 'steer', 'interrupt']).toContain(action.mode)
    }),
  )
})

test('UI-15 no key of an input method and no other key than Enter, Esc and ↑ ever acts', () => {
  fc.assert(
    fc.property(KEYS, (facts) => {
      expect(composerKey({ ...facts, composing: true })).toBeNull()
      if (!['Enter', 'Escape', 'ArrowUp'].includes(facts.key)) expect(composerKey(facts)).toBeNull()
    }),
  )
})

test('UI-15 there is always an Enter that breaks the line, and ⌘ Enter never does', () => {
  fc.assert(
    fc.property(KEYS, (facts) => {
      const enter = { ...facts, key: 'Enter', composing: false }
      const broken = [true, false].filter((shift) => composerKey({ ...enter, mod: false, shift }) === null)
      expect(broken.length).toBeGreaterThan(0)
      expect(composerKey({ ...enter, mod: true })?.type).toBe('send')
    }),
  )
})

test('UI-15 what is written decides over ↑ alone', () => {
  fc.assert(
    fc.property(KEYS, (facts) => {
      const [empty, written] = [true, false].map((one) => composerKey({ ...facts, empty: one }))
      if (facts.key !== 'ArrowUp') expect(empty).toEqual(written)
      else expect(written).toBeNull()
    }),
  )
})
