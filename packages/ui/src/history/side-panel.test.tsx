// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { stubMedia } from '../testing/stub-media.ts'
import { SidePanel } from './side-panel.tsx'

/** A field that is there to be written in. */
function Question() {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  return <textarea ref={field} aria-label="Question" />
}

function Page({ open, onClose, inside }: { open: boolean; onClose: () => void; inside?: ReactNode }) {
  return (
    <>
      <button type="button">Opener</button>
      <SidePanel open={open} title="Timeline" onClose={onClose}>
        {inside ?? <button type="button">Undo</button>}
      </SidePanel>
    </>
  )
}

/** A page on which the button that opens the panel has the focus. */
function beside(inside?: ReactNode) {
  const onClose = vi.fn()
  const element = (open: boolean, now = inside) => <Page open={open} onClose={onClose} inside={now} />
  const page = show(element(false))
  page.getByRole('button', { name: 'Opener' }).focus()
  page.rerender(element(true))
  return Object.assign(page, { onClose, element })
}

test('UI-23 a panel beside the thread takes the focus, and gives it back when it goes', () => {
  using page = beside()
  const panel = page.getByRole('complementary', { name: 'Timeline' })
  expect(document.activeElement).toBe(panel)
  page.rerender(page.element(false))
  expect(page.queryByRole('complementary')).toBeNull()
  expect(document.activeElement?.textContent).toBe('Opener')
})

test('UI-23 a field inside with autofocus gets the focus', () => {
  using page = beside(<Question />)
  expect(document.activeElement).toBe(page.getByRole('textbox', { name: 'Question' }))
})

test('UI-23 Esc closes the panel, but not when it had a use inside', () => {
  using page = beside(<input aria-label="Name" onKeyDown={(event) => event.preventDefault()} />)
  fireEvent.keyDown(page.getByRole('textbox', { name: 'Name' }), { key: 'Escape' })
  expect(page.onClose).not.toHaveBeenCalled()
  fireEvent.keyDown(page.getByRole('complementary'), { key: 'Enter' })
  expect(page.onClose).not.toHaveBeenCalled()
  fireEvent.keyDown(page.getByRole('complementary'), { key: 'Escape' })
  expect(page.onClose).toHaveBeenCalledOnce()
})

test('UI-23 what was pressed may go with what it did: the panel keeps the focus, so that Esc still reaches it', () => {
  using page = beside()
  act(() => page.getByRole('button', { name: 'Undo' }).focus())
  page.rerender(page.element(true, <p>Nothing to undo</p>))
  expect(document.activeElement).toBe(page.getByRole('complementary'))
})

test('UI-23 focus outside the panel is not moved when the panel changes', () => {
  using page = beside()
  act(() => page.getByRole('button', { name: 'Undo' }).focus())
  act(() => page.getByRole('button', { name: 'Opener' }).focus())
  page.rerender(page.element(true, <p>Nothing to undo</p>))
  expect(document.activeElement?.textContent).toBe('Opener')
})

test('UI-24 on narrow screens the panel is a sheet over the page, which a button and Esc close', () => {
  using _media = stubMedia()
  using page = beside()
  const sheet = page.getByRole('dialog', { name: 'Timeline' })
  expect(page.queryByRole('complementary')).toBeNull()
  fireEvent.click(page.getByRole('button', { name: 'Close' }))
  fireEvent.keyDown(sheet, { key: 'Escape' })
  expect(page.onClose).toHaveBeenCalledTimes(2)
})
