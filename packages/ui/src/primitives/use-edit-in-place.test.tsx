// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '../testing/show.tsx'
import { useEditInPlace } from './use-edit-in-place.ts'

function Name({ opened = true }: { opened?: boolean }) {
  const { editing, begin, end, opener } = useEditInPlace()
  return (
    <>
      {editing ? (
        <input
          aria-label="Name"
          // biome-ignore lint/a11y/noAutofocus: the editor takes the focus, as those of the product do
          autoFocus
          onKeyDown={({ key }) => key === 'Enter' && end()}
        />
      ) : (
        opened && (
          <button ref={opener} type="button" onClick={begin}>
            Rename
          </button>
        )
      )}
      <button type="button" onClick={end}>
        Elsewhere
      </button>
    </>
  )
}

function open() {
  const page = show(<Name />)
  const button = (name: string) => page.getByRole('button', { name })
  const field = () => page.getByRole('textbox', { name: 'Name' })
  return Object.assign(page, { button, field })
}

test('UI-23 an element that is drawn for the first time takes no focus', () => {
  using page = open()
  expect(document.activeElement).toBe(document.body)
  expect(page.button('Rename')).toBeTruthy()
})

test('UI-23 the editor replaces its opener, and the opener has the focus again once it closes', () => {
  using page = open()
  fireEvent.click(page.button('Rename'))
  expect(document.activeElement).toBe(page.field())
  expect(page.queryByRole('button', { name: 'Rename' })).toBeNull()
  fireEvent.keyDown(page.field(), { key: 'Enter' })
  expect(document.activeElement).toBe(page.button('Rename'))
})

test('UI-23 a focus that has gone elsewhere stays there when the editor closes', () => {
  using page = open()
  fireEvent.click(page.button('Rename'))
  const elsewhere = page.button('Elsewhere')
  elsewhere.focus()
  fireEvent.click(elsewhere)
  expect(page.button('Rename')).toBeTruthy()
  expect(document.activeElement).toBe(elsewhere)
})

test('UI-23 the focus is returned once: an opener that is drawn again later takes none', () => {
  using page = open()
  fireEvent.click(page.button('Rename'))
  fireEvent.keyDown(page.field(), { key: 'Enter' })
  page.button('Rename').blur()
  page.rerender(<Name opened={false} />)
  page.rerender(<Name opened />)
  expect(document.activeElement).toBe(document.body)
})

test('UI-23 an editor is opened and closed any number of times, and the focus comes back each time', () => {
  using page = open()
  for (let time = 0; time < 3; time++) {
    fireEvent.click(page.button('Rename'))
    fireEvent.keyDown(page.field(), { key: 'Enter' })
    expect(document.activeElement).toBe(page.button('Rename'))
  }
})
