// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { stubMedia } from '../testing/stub-media.ts'
import { SendButton, type SendButtonProps } from './send-button.tsx'

afterEach(() => void vi.unstubAllGlobals())

type Facts = Pick<SendButtonProps, 'running' | 'empty' | 'disabled'>

const written: Facts = { running: false, empty: false, disabled: false }

function send(facts: Facts, touch = false) {
  using _media = stubMedia(touch)
  const on = { onSend: vi.fn(), onStop: vi.fn() }
  const page = show(<SendButton {...facts} {...on} />)
  const names = page.getAllByRole('button').map((button) => button.getAttribute('aria-label'))
  return Object.assign(page, { on, names })
}

test.each<[when: string, facts: Facts, touch: boolean, names: string[]]>([
  ['nothing runs', written, false, ['Send']],
  ['nothing runs and nothing is written', { ...written, empty: true }, false, ['Send']],
  ['a run is on and nothing is written', { ...written, running: true, empty: true }, false, ['Stop']],
  ['a run is on and something is written', { ...written, running: true }, false, ['Queue']],
  ['a run is on and a finger writes', { ...written, running: true }, true, ['Stop', 'Queue']],
  ['a run is on under a finger', { ...written, running: true, empty: true }, true, ['Stop']],
  ['nothing runs under a finger', written, true, ['Send']],
])('UI-15 while %s the buttons are %j', (_, facts, touch, names) => {
  using page = send(facts, touch)
  expect(page.names).toEqual(names)
})

test.each([
  ['nothing is written', { ...written, empty: true }],
  ['what is written can’t go out yet', { ...written, disabled: true }],
  ['a file is on its way during a run', { ...written, running: true, disabled: true }],
])('UI-15 while %s the button says that it is off, keeps its place of Tab, and sends nothing', (_, facts) => {
  using page = send(facts)
  const button = page.getByRole('button')
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(button.hasAttribute('disabled')).toBe(false)
  fireEvent.click(button)
  expect(page.on.onSend).not.toHaveBeenCalled()
})

test('UI-15 Stop is never off: also not while files are on their way', () => {
  using page = send({ running: true, empty: true, disabled: true })
  fireEvent.click(page.getByRole('button', { name: 'Stop' }))
  expect(page.on.onStop).toHaveBeenCalledOnce()
  expect(page.on.onSend).not.toHaveBeenCalled()
})

test('UI-15 a run can always be stopped by a button once nothing is written, or under a finger', () => {
  const facts = fc.record({ running: fc.boolean(), empty: fc.boolean(), disabled: fc.boolean() })
  fc.assert(
    fc.property(facts, fc.boolean(), (now, touch) => {
      using page = send(now, touch)
      expect(page.names.includes('Stop')).toBe(now.running && (now.empty || touch))
      expect(page.names.includes('Send')).toBe(!now.running)
      for (const button of page.getAllByRole('button')) fireEvent.click(button)
      const sends = !now.empty && !now.disabled
      expect(page.on.onSend).toHaveBeenCalledTimes(sends ? 1 : 0)
    }),
    { numRuns: 30 },
  )
})
