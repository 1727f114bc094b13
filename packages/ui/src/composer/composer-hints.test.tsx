// @vitest-environment happy-dom
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { ComposerHints, type ComposerHintsProps } from './composer-hints.tsx'
import { composerKey, type SendMode } from './composer-key.ts'

afterEach(() => void vi.unstubAllGlobals())

const idle: ComposerHintsProps = { running: false, empty: false, commands: false, sendKey: 'enter' }
const running = { ...idle, running: true }
const onMod = { sendKey: 'mod+enter' } as const

/** Each hint as its keys and its words. */
function hints(facts: ComposerHintsProps): [keys: string, words: string][] {
  using page = show(<ComposerHints {...facts} />)
  return [...(page.container.querySelector('p')?.children ?? [])].map((hint) => [
    [...hint.querySelectorAll('kbd')].map((key) => key.textContent).join(' '),
    hint.lastChild?.textContent ?? '',
  ])
}

test.each<[when: string, ComposerHintsProps, [string, string][]]>([
  [
    'nothing runs',
    idle,
    [
      ['Enter', 'send'],
      ['Shift Enter', 'new line'],
    ],
  ],
  [
    'there are commands',
    { ...idle, commands: true },
    [
      ['Enter', 'send'],
      ['Shift Enter', 'new line'],
      ['/', 'commands'],
    ],
  ],
  [
    '⌘ Enter is the send key',
    { ...idle, ...onMod },
    [
      ['Ctrl Enter', 'send'],
      ['Enter', 'new line'],
    ],
  ],
  ['a run is on and nothing is written', { ...running, empty: true }, [['Esc', 'stop']]],
  [
    'a run is on and something is written',
    running,
    [
      ['Enter', 'queue'],
      ['Ctrl Enter', 'add to the running reply'],
      ['Ctrl Shift Enter', 'interrupt and send'],
      ['Esc', 'stop'],
    ],
  ],
  [
    'a run is on and ⌘ Enter is the send key',
    { ...running, ...onMod },
    [
      ['Ctrl Enter', 'queue'],
      ['Ctrl Shift Enter', 'add to the running reply'],
      ['Esc', 'stop'],
    ],
  ],
])('UI-15 while %s the hints are those of the keys that work', (_, facts, expected) => {
  expect(hints(facts)).toEqual(expected)
})

test('UI-15 the hint of commands is left out while a run is on, as the field is for the next message', () => {
  expect(hints({ ...running, commands: true }).map(([, words]) => words)).not.toContain('commands')
})

const MODES: Record<string, SendMode> = {
  send: 'send',
  queue: 'queue',
  'add to the running reply': 'steer',
  'interrupt and send': 'interrupt',
}

test('UI-15 every hint always names what its keys do', () => {
  const facts = fc.record({
    running: fc.boolean(),
    empty: fc.boolean(),
    commands: fc.boolean(),
    sendKey: fc.constantFrom('enter' as const, 'mod+enter' as const),
  })
  fc.assert(
    fc.property(facts, (now) => {
      for (const [keys, words] of hints(now)) {
        if (keys === '/') continue
        const held = keys.split(' ')
        const action = composerKey({
          ...now,
          key: held.at(-1) === 'Esc' ? 'Escape' : 'Enter',
          shift: held.includes('Shift'),
          mod: held.includes('Ctrl'),
          composing: false,
          touch: false,
        })
        const mode = MODES[words]
        const expected =
          mode !== undefined ? { type: 'send', mode } : words === 'stop' ? { type: 'stop' } : null
        expect(action).toEqual(expected)
      }
    }),
    { numRuns: 40 },
  )
})

test('UI-15 on a Mac the hints have the signs of its keys', () => {
  vi.stubGlobal('navigator', { ...navigator, userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0)' })
  expect(hints(running).map(([keys]) => keys)).toEqual(['↵', '⌘ ↵', '⌘ ⇧ ↵', 'esc'])
})
