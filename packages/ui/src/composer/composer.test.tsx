// @vitest-environment happy-dom
import { createEvent, fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { Composer } from './composer.tsx'
import type { ComposerProps } from './composer-field.tsx'

function composer(props: Partial<ComposerProps> = {}) {
  const on = {
    onValueChange: vi.fn(),
    onAttach: vi.fn(),
    onRemoveAttachment: vi.fn(),
    onSend: vi.fn(),
    onStop: vi.fn(),
    onCommand: vi.fn(),
    onRecall: vi.fn(),
  }
  return { on, element: <Composer value="" attachments={[]} running={false} {...on} {...props} /> }
}

const FIELD = { name: 'Message' }

test('UI-15 Enter sends what is written, and nothing when nothing is', () => {
  const { on, element } = composer({ value: 'Hello' })
  using page = show(element)
  fireEvent.keyDown(page.getByRole('textbox', FIELD), { key: 'Enter' })
  expect(on.onSend.mock.calls).toEqual([['send']])
  page.rerender(<Composer value="  " attachments={[]} running={false} {...on} />)
  fireEvent.keyDown(page.getByRole('textbox', FIELD), { key: 'Enter' })
  expect(on.onSend).toHaveBeenCalledTimes(1)
})

test('UI-15 the send button is Stop while a run is on, and Queue once something is written', () => {
  const { on, element } = composer({ running: true })
  using page = show(element)
  fireEvent.click(page.getByRole('button', { name: 'Stop' }))
  expect(on.onStop).toHaveBeenCalledOnce()
  page.rerender(<Composer value="Next" attachments={[]} running {...on} />)
  expect(page.queryByRole('button', { name: 'Stop' })).toBeNull()
  fireEvent.click(page.getByRole('button', { name: 'Queue' }))
  expect(on.onSend.mock.calls).toEqual([['queue']])
})

test('UI-15 the hints name the keys that work now', () => {
  const { on, element } = composer({ running: true, value: 'Next' })
  using page = show(element)
  expect(page.getByText('add to the running reply')).toBeTruthy()
  page.rerender(<Composer value="Next" attachments={[]} running={false} {...on} />)
  expect(page.queryByText('add to the running reply')).toBeNull()
})

test('UI-12 a command runs and is never sent', () => {
  const commands = [{ name: 'archive', description: 'Put away' }]
  const { on, element } = composer({ value: '/archive', commands })
  using page = show(element)
  expect(page.getByRole('option', { name: /archive/ })).toBeTruthy()
  fireEvent.keyDown(page.getByRole('textbox', FIELD), { key: 'Enter' })
  expect(on.onCommand.mock.calls).toEqual([['archive', '']])
  expect(on.onSend).not.toHaveBeenCalled()
})

test('UI-12 an unknown command is sent as text', () => {
  const { on, element } = composer({ value: '/usr/bin', commands: [{ name: 'model', description: '' }] })
  using page = show(element)
  fireEvent.keyDown(page.getByRole('textbox', FIELD), { key: 'Enter' })
  expect(on.onSend.mock.calls).toEqual([['send']])
})

test('UI-12 files come by paste and by drop', () => {
  const { on, element } = composer()
  using page = show(element)
  const file = new File(['x'], 'x.txt', { type: 'text/plain' })
  const field = page.getByRole('textbox', FIELD)
  const paste = createEvent.paste(field)
  Object.defineProperty(paste, 'clipboardData', { value: { files: [file] } })
  fireEvent(field, paste)
  const drop = createEvent.drop(field)
  Object.defineProperty(drop, 'dataTransfer', { value: { files: [file], types: ['Files'] } })
  fireEvent(field, drop)
  expect(on.onAttach.mock.calls).toEqual([[[file]], [[file]]])
})

test('UI-12 an attachment shows its name and state, can be taken out, and holds Send until it is ready', () => {
  const reading = {
    id: 'f',
    name: 'leaf.png',
    mediaType: 'image/png',
    size: 900,
    state: { type: 'reading' },
  } as const
  const { on, element } = composer({ value: 'See', attachments: [reading] })
  using page = show(element)
  expect(page.getByText('Reading')).toBeTruthy()
  fireEvent.click(page.getByRole('button', { name: 'Send' }))
  fireEvent.click(page.getByRole('button', { name: 'Remove leaf.png' }))
  expect(on.onSend).not.toHaveBeenCalled()
  expect(on.onRemoveAttachment.mock.calls).toEqual([['f']])
})
