// @vitest-environment happy-dom
import type { ChatMessage } from '@palimpsest/core/domain'
import { createEvent, fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { sampleMessage, textMessage } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { QueueChips } from './queue-chips.tsx'

const queue = [textMessage('a', 'user', 'First'), textMessage('b', 'user', 'Second')]
const stubs = () => ({
  onEdit: vi.fn(),
  onLeft: vi.fn(),
  onMove: vi.fn(),
  onSendNow: vi.fn(),
  onRemove: vi.fn(),
})

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

const attached = { type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: 'data:,' } as const

test('UI-15 a chip shows its text, its files, and that it goes to the running reply', () => {
  const message = sampleMessage('a', 'user', [attached, attached, { type: 'text', text: 'Look' }], {
    steer: true,
  })
  using page = show(<QueueChips queue={[message, textMessage('b', 'user', 'Later')]} actions={stubs()} />)
  const chips = page.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(chips).toEqual(['For the running replyLook2 files', 'Later'])
  expect(page.getByRole('heading').textContent).toBe('2 messages queued')
})

test('UI-15 a queue that waits for a person says why, and how it goes on', () => {
  using page = show(<QueueChips queue={queue} actions={stubs()} paused="failed" />)
  expect(page.getByRole('region').textContent).toContain(
    'Paused because the last reply failed. Your next message continues the queue in order.',
  )
  page.rerender(<QueueChips queue={queue} actions={stubs()} paused={null} />)
  expect(page.getByRole('region').textContent).not.toContain('Paused')
})

test('UI-15 a chip that is left as it was, or emptied, is not edited', () => {
  const actions = stubs()
  using page = show(<QueueChips queue={queue} actions={actions} />)
  const edit = (value: string) => {
    fireEvent.click(page.getAllByRole('button', { name: 'Edit' })[0] ?? page.container)
    const field = page.getByRole('textbox', { name: 'Queued message' })
    fireEvent.change(field, { target: { value } })
    fireEvent.click(page.getByRole('button', { name: 'Save' }))
  }
  edit('First')
  edit('  ')
  expect(actions.onEdit).not.toHaveBeenCalled()
})

test('UI-15 in a chip that is edited Shift Enter breaks the line, and an input method has its Enter', () => {
  const actions = stubs()
  using page = show(<QueueChips queue={queue} actions={actions} />)
  fireEvent.click(page.getAllByRole('button', { name: 'Edit' })[0] ?? page.container)
  const field = page.getByRole('textbox', { name: 'Queued message' })
  fireEvent.change(field, { target: { value: 'Better' } })
  expect(fireEvent.keyDown(field, { key: 'Enter', shiftKey: true })).toBe(true)
  expect(fireEvent.keyDown(field, { key: 'Enter', isComposing: true })).toBe(true)
  expect(actions.onEdit).not.toHaveBeenCalled()
})

test('UI-15 Esc that leaves a chip stops no run', () => {
  const others = vi.fn()
  document.addEventListener('keydown', others)
  using page = show(<QueueChips queue={queue} actions={stubs()} />)
  fireEvent.click(page.getAllByRole('button', { name: 'Edit' })[0] ?? page.container)
  fireEvent.keyDown(page.getByRole('textbox', { name: 'Queued message' }), { key: 'Escape' })
  expect(others).not.toHaveBeenCalled()
  document.removeEventListener('keydown', others)
})

test('UI-15 a chip is dragged to the place of another', () => {
  const actions = stubs()
  using page = show(<QueueChips queue={queue} actions={actions} />)
  const [first, second] = page.getAllByRole('listitem')
  if (!first || !second) throw new Error('Two chips were to be shown.')
  const transfer = { effectAllowed: '', setData: vi.fn() }
  const fire = (type: 'dragStart' | 'dragOver' | 'drop' | 'dragEnd', target: HTMLElement) => {
    const event = createEvent[type](target)
    Object.defineProperty(event, 'dataTransfer', { value: transfer })
    return fireEvent(target, event)
  }
  expect(fire('dragOver', second)).toBe(true)
  fire('dragStart', first)
  expect(fire('dragOver', second)).toBe(false)
  fire('drop', second)
  fire('dragEnd', first)
  fire('drop', second)
  expect(actions.onMove.mock.calls).toEqual([['a', 1]])
})

test('UI-15 a chip that is alone is not moved', () => {
  const actions = stubs()
  using page = show(<QueueChips queue={queue.slice(0, 1)} actions={actions} />)
  expect(page.getByRole('listitem').getAttribute('draggable')).toBe('false')
  expect(page.container.querySelector('button[disabled]')).not.toBeNull()
})

test('UI-23 the focus goes to the message field when the last chip goes', () => {
  using page = show(
    <div className="composer">
      <QueueChips queue={queue.slice(0, 1)} actions={stubs()} />
      <textarea aria-label="Message" />
    </div>,
  )
  fireEvent.click(page.getByRole('button', { name: 'Send now' }))
  expect(document.activeElement).toBe(page.getByRole('textbox', { name: 'Message' }))
})

test('UI-15 unsaved text of an edit is reported when its chip is removed, unchanged text is not', () => {
  const actions = stubs()
  using page = show(<QueueChips queue={queue} actions={actions} />)
  const edit = (at: number, value: string) => {
    fireEvent.click(page.getAllByRole('button', { name: 'Edit' })[0] ?? page.container)
    const fields = page.getAllByRole('textbox', { name: 'Queued message' })
    fireEvent.change(fields[at] ?? page.container, { target: { value } })
  }
  edit(0, 'First, changed')
  edit(1, ' Second ')
  page.rerender(<QueueChips queue={[]} actions={actions} />)
  expect(actions.onLeft.mock.calls).toEqual([['First, changed']])
  expect(actions.onEdit).not.toHaveBeenCalled()
})

test('UI-15 text that was saved or cancelled is not reported again when its chip is removed', () => {
  const actions = stubs()
  using page = show(<QueueChips queue={queue} actions={actions} />)
  for (const key of ['Enter', 'Escape']) {
    fireEvent.click(page.getAllByRole('button', { name: 'Edit' })[0] ?? page.container)
    const field = page.getByRole('textbox', { name: 'Queued message' })
    fireEvent.change(field, { target: { value: `By ${key}` } })
    fireEvent.keyDown(field, { key })
  }
  page.rerender(<QueueChips queue={[]} actions={actions} />)
  expect(actions.onEdit.mock.calls).toEqual([['a', 'By Enter']])
  expect(actions.onLeft).not.toHaveBeenCalled()
})

test('UI-15 behind a running reply the queue says what is sent next, and Stop all is offered', () => {
  const onStopAll = vi.fn()
  using page = show(<QueueChips queue={queue} actions={stubs()} onStopAll={onStopAll} />)
  page.getByText('The first is sent when this reply ends or is stopped.')
  fireEvent.click(page.getByRole('button', { name: 'Stop all' }))
  expect(onStopAll).toHaveBeenCalledTimes(1)
})

test('UI-15 a queue that was stopped says so, and is continued by a button', () => {
  const actions = stubs()
  using page = show(<QueueChips queue={queue} actions={actions} paused="stopped" />)
  page.getByText(/^Paused because you stopped all/)
  expect(page.queryByRole('button', { name: 'Stop all' })).toBeNull()
  fireEvent.click(page.getByRole('button', { name: 'Continue the queue' }))
  expect(actions.onSendNow.mock.calls).toEqual([['a']])
})

test('UI-15 messages that are all for the running reply are not called queued', () => {
  const steer = sampleMessage('s', 'user', [{ type: 'text', text: 'In French' }], { steer: true })
  const shown = (messages: ChatMessage[]) => {
    using page = show(<QueueChips queue={messages} actions={stubs()} onStopAll={vi.fn()} />)
    return {
      heading: page.getByRole('heading').textContent,
      labels: page.queryAllByText('For the running reply').length,
    }
  }
  expect(shown([steer])).toEqual({ heading: '1 message for the running reply', labels: 0 })
  expect(shown([...queue, steer])).toEqual({ heading: '3 messages queued', labels: 1 })
})
