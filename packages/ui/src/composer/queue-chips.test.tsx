// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { textMessage } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { QueueChips } from './queue-chips.tsx'

const queue = [textMessage('a', 'user', 'First'), textMessage('b', 'user', 'Second')]
const stubs = () => ({ onEdit: vi.fn(), onMove: vi.fn(), onSendNow: vi.fn(), onRemove: vi.fn() })

test('UI-15 an empty queue takes no place', () => {
  using page = show(<QueueChips queue={[]} actions={stubs()} />)
  expect(page.container.innerHTML).toBe('')
})

test('UI-15 a chip is edited in place: Enter saves, Esc leaves', () => {
  const actions = stubs()
  using page = show(<QueueChips queue={queue} actions={actions} />)
  const edit = (value: string, key: string) => {
    fireEvent.click(page.getAllByRole('button', { name: 'Edit' })[0] ?? page.container)
    const field = page.getByRole('textbox', { name: 'Queued message' })
    fireEvent.change(field, { target: { value } })
    fireEvent.keyDown(field, { key })
  }
  edit('Dropped', 'Escape')
  edit('Better', 'Enter')
  expect(actions.onEdit.mock.calls).toEqual([['a', 'Better']])
})

test('UI-15 the arrow keys of a handle move its chip and say where it is', () => {
  const actions = stubs()
  using page = show(<QueueChips queue={queue} actions={actions} />)
  const handle = page.getByRole('button', { name: /position 1 of 2/ })
  fireEvent.keyDown(handle, { key: 'ArrowUp' })
  fireEvent.keyDown(handle, { key: 'ArrowDown' })
  expect(actions.onMove.mock.calls).toEqual([['a', 1]])
  expect(page.getByRole('status').textContent).toBe('Moved to position 2 of 2.')
})

test('UI-15 a field opens with the caret behind the words, and gives the focus back', () => {
  using page = show(<QueueChips queue={queue} actions={stubs()} />)
  const edit = () => page.getAllByRole('button', { name: 'Edit' })[0] ?? page.container
  fireEvent.click(edit())
  const field = page.getByRole('textbox', { name: 'Queued message' })
  expect(Reflect.get(field, 'selectionStart')).toBe('First'.length)
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(document.activeElement).toBe(edit())
})

test('UI-23 the focus goes on to the next chip when one goes', () => {
  using page = show(<QueueChips queue={queue} actions={stubs()} />)
  const [first, second] = page.getAllByRole('button', { name: 'Remove' })
  fireEvent.click(first ?? page.container)
  expect(document.activeElement).toBe(second)
  fireEvent.click(second ?? page.container)
  expect(document.activeElement).toBe(first)
})

test('UI-15 a chip is sent now or removed', () => {
  const actions = stubs()
  using page = show(<QueueChips queue={queue.slice(0, 1)} actions={actions} />)
  fireEvent.click(page.getByRole('button', { name: 'Send now' }))
  fireEvent.click(page.getByRole('button', { name: 'Remove' }))
  expect(actions.onSendNow.mock.calls).toEqual([['a']])
  expect(actions.onRemove.mock.calls).toEqual([['a']])
})
