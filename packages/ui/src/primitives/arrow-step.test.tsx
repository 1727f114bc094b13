// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { createPortal } from 'react-dom'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { arrowStep } from './arrow-step.ts'

function keys() {
  const step = vi.fn<(step: 1 | -1 | null) => void>()
  const page = show(
    <fieldset onKeyDown={(event) => step(arrowStep(event))}>
      <button type="button">Inside</button>
      {createPortal(<button type="button">Elsewhere</button>, document.body)}
    </fieldset>,
  )
  const press = (name: string, key: string, more: KeyboardEventInit = {}) => {
    fireEvent.keyDown(page.getByRole('button', { name }), { key, ...more })
    return step.mock.lastCall?.[0]
  }
  return Object.assign(page, { press })
}

test.each([
  ['ArrowLeft', -1],
  ['ArrowRight', 1],
  ['ArrowUp', null],
  ['Home', null],
  ['Enter', null],
  ['h', null],
])('UI-28 %s is the step %s', (key, step) => {
  using page = keys()
  expect(page.press('Inside', key)).toBe(step)
})

test.each<[string, KeyboardEventInit, 1 | null]>([
  ['Alt', { altKey: true }, null],
  ['Ctrl', { ctrlKey: true }, null],
  ['⌘', { metaKey: true }, null],
  ['Shift', { shiftKey: true }, 1],
])('UI-28 an arrow key with %s held', (_, held, step) => {
  using page = keys()
  expect(page.press('Inside', 'ArrowRight', held)).toBe(step)
})

test('UI-19 an arrow key in a popup of a component is no step of the component', () => {
  using page = keys()
  expect(page.press('Elsewhere', 'ArrowRight')).toBeNull()
})
