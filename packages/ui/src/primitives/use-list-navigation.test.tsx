// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { useListNavigation } from './use-list-navigation.ts'

type ListProps = { options: string[]; query?: string; onChoose?: (index: number) => void }

function List({ options, query = '', onChoose = () => undefined }: ListProps) {
  const list = useListNavigation(options.length, query, onChoose)
  return (
    <>
      <input
        aria-label="Field"
        aria-activedescendant={list.optionId(list.active)}
        onKeyDown={(event) => void list.handleKey(event)}
      />
      {options.map((option, at) => (
        <p key={option} id={list.optionId(at)} onPointerMove={() => list.setActive(at)}>
          {option}
        </p>
      ))}
    </>
  )
}

function open(props: ListProps) {
  const page = show(<List {...props} />)
  const field = page.getByRole('textbox', { name: 'Field' })
  const active = () =>
    document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent ?? null
  const press = (key: string, facts = {}) => fireEvent.keyDown(field, { key, ...facts })
  return Object.assign(page, { field, active, press })
}

const LETTERS = [...'abcdefghijkl']

test('UI-3 the arrows go round in a list, pages stop at its ends', () => {
  using page = open({ options: LETTERS })
  const after = (key: string) => {
    page.press(key)
    return page.active()
  }
  expect(
    ['ArrowUp', 'ArrowDown', 'ArrowDown', 'PageDown', 'PageDown', 'PageUp', 'PageUp'].map(after),
  ).toEqual(['l', 'a', 'b', 'j', 'l', 'd', 'a'])
})

test('UI-3 keys that move in the text are left to the field', () => {
  using page = open({ options: LETTERS })
  for (const key of ['Home', 'End', 'ArrowLeft', 'a']) expect(page.press(key)).toBe(true)
  expect(page.press('ArrowDown')).toBe(false)
})

test('UI-3 Enter chooses what is active, also where a pointer has been', () => {
  const onChoose = vi.fn()
  using page = open({ options: LETTERS, onChoose })
  fireEvent.pointerMove(page.getByText('d'))
  page.press('Enter')
  expect(onChoose.mock.calls).toEqual([[3]])
})

test('UI-3 an empty list takes no key', () => {
  const onChoose = vi.fn()
  using page = open({ options: [], onChoose })
  for (const key of ['Enter', 'ArrowDown', 'ArrowUp']) expect(page.press(key)).toBe(true)
  expect(onChoose).not.toHaveBeenCalled()
})

test('UI-3 the keys of an input method are its own', () => {
  const onChoose = vi.fn()
  using page = open({ options: LETTERS, onChoose })
  page.press('Enter', { isComposing: true })
  page.press('ArrowDown', { isComposing: true })
  expect(onChoose).not.toHaveBeenCalled()
  expect(page.active()).toBe('a')
})

test('UI-3 other words begin at the first option again', () => {
  using page = open({ options: LETTERS, query: '' })
  page.press('PageDown')
  page.rerender(<List options={LETTERS} query="x" />)
  expect(page.active()).toBe('a')
})

test('UI-3 a list that grows shorter keeps something active', () => {
  using page = open({ options: LETTERS })
  page.press('ArrowUp')
  act(() => page.rerender(<List options={['a', 'b']} />))
  expect(page.active()).toBe('b')
})
