// @vitest-environment happy-dom
import { createEvent, fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import type { ComposerAttachment } from './attachment.ts'
import { readAsDataUrl } from './attachment.ts'
import { AttachmentStrip } from './attachment-strip.tsx'
import { Composer } from './composer.tsx'
import type { ComposerProps } from './composer-field.tsx'

const on = () => ({
  onValueChange: vi.fn(),
  onAttach: vi.fn(),
  onRemoveAttachment: vi.fn(),
  onSend: vi.fn(),
  onStop: vi.fn(),
})

const composer = (handlers: ReturnType<typeof on>, props: Partial<ComposerProps> = {}) => (
  <Composer value="" attachments={[]} running={false} {...handlers} {...props} />
)

const attachment = (facts: Partial<ComposerAttachment>): ComposerAttachment => ({
  id: 'f',
  name: 'leaf.png',
  mediaType: 'image/png',
  size: 2_048,
  state: { type: 'ready' },
  ...facts,
})

const FILE = new File(['x'], 'x.txt', { type: 'text/plain' })

function drag(target: HTMLElement, type: 'dragOver' | 'dragLeave' | 'drop', transfer: object, into?: Node) {
  const event = createEvent[type](target, into ? { relatedTarget: into } : {})
  Object.defineProperty(event, 'dataTransfer', { value: transfer })
  if (into) Object.defineProperty(event, 'relatedTarget', { value: into })
  return fireEvent(target, event)
}

test('UI-12 files that are held over the composer are asked for, until they are dropped or leave', () => {
  const handlers = on()
  using page = show(composer(handlers))
  const field = page.getByRole('textbox', { name: 'Message' })
  const files = { files: [FILE], types: ['Files'] }
  const asks = () => page.queryByText('Drop files to attach them') !== null
  drag(field, 'dragOver', files)
  expect(asks()).toBe(true)
  drag(field, 'dragLeave', files, page.getByRole('button', { name: 'Attach files' }))
  expect(asks()).toBe(true)
  drag(field, 'dragLeave', files, document.body)
  expect(asks()).toBe(false)
  drag(field, 'dragOver', files)
  drag(field, 'drop', files)
  expect(asks()).toBe(false)
  expect(handlers.onAttach.mock.calls).toEqual([[[FILE]]])
})

test('UI-12 words that are dragged are left to the field', () => {
  const handlers = on()
  using page = show(composer(handlers))
  const field = page.getByRole('textbox', { name: 'Message' })
  const words = { files: [], types: ['text/plain'] }
  expect(drag(field, 'dragOver', words)).toBe(true)
  expect(drag(field, 'drop', words)).toBe(true)
  expect(page.queryByText('Drop files to attach them')).toBeNull()
  expect(handlers.onAttach).not.toHaveBeenCalled()
})

test('UI-12 words that are pasted are left to the field', () => {
  const handlers = on()
  using page = show(composer(handlers))
  const field = page.getByRole('textbox', { name: 'Message' })
  const paste = createEvent.paste(field)
  const clipboardData = { files: [], getData: () => `words and an e${'\u0301'.repeat(20)}` }
  Object.defineProperty(paste, 'clipboardData', { value: clipboardData })
  expect(fireEvent(field, paste)).toBe(true)
  expect(handlers.onAttach).not.toHaveBeenCalled()
})

test('SX-11 a paste with thousands of combining marks on one character is attached as a file that holds all of it', async () => {
  const handlers = on()
  using page = show(composer(handlers))
  const field = page.getByRole('textbox', { name: 'Message' })
  const text = `a${'\u0301'.repeat(100_000)}b`
  const paste = createEvent.paste(field)
  Object.defineProperty(paste, 'clipboardData', { value: { files: [], getData: () => text } })
  expect(fireEvent(field, paste)).toBe(false)
  const file: File = handlers.onAttach.mock.calls[0]?.[0][0]
  expect(file).toMatchObject({ name: 'pasted-marks.txt', type: 'text/plain' })
  expect(await file.text()).toBe(text)
})

test('UI-33 a paste of more than 10,000 characters becomes a file, which can be turned back into text', async () => {
  const handlers = on()
  using page = show(composer(handlers))
  const field = page.getByRole('textbox', { name: 'Message' })
  const paste = (text: string) => {
    const event = createEvent.paste(field)
    Object.defineProperty(event, 'clipboardData', { value: { files: [], getData: () => text } })
    return fireEvent(field, event)
  }
  expect(paste('x'.repeat(10_000))).toBe(true)
  expect(handlers.onAttach).not.toHaveBeenCalled()
  expect(paste('x'.repeat(10_001))).toBe(false)
  const file: File = handlers.onAttach.mock.calls[0]?.[0][0]
  expect(file).toMatchObject({ name: 'pasted.txt', type: 'text/plain', size: 10_001 })

  const onInsertText = vi.fn()
  const pasted = attachment({ name: 'pasted.txt', mediaType: 'text/plain', pasted: true })
  page.rerender(composer(handlers, { attachments: [pasted, attachment({ id: 'g' })], onInsertText }))
  fireEvent.click(page.getByRole('button', { name: 'Turn pasted.txt into text' }))
  expect(onInsertText.mock.calls).toEqual([['f']])
  expect(page.queryByRole('button', { name: 'Turn leaf.png into text' })).toBeNull()
})

test('UI-12 the same file can be chosen again after it was taken out', () => {
  const handlers = on()
  using page = show(composer(handlers))
  const chooser = page.getByLabelText('Attach files', { selector: 'input' })
  for (let time = 0; time < 2; time++) {
    Object.defineProperty(chooser, 'files', { configurable: true, value: [FILE] })
    fireEvent.change(chooser)
    expect(Reflect.get(chooser, 'value')).toBe('')
  }
  expect(handlers.onAttach.mock.calls).toEqual([[[FILE]], [[FILE]]])
})

test('UI-12 files alone can be sent', () => {
  const handlers = on()
  using page = show(composer(handlers, { attachments: [attachment({})] }))
  fireEvent.click(page.getByRole('button', { name: 'Send' }))
  expect(handlers.onSend.mock.calls).toEqual([['send']])
})

test.each<[string, ComposerAttachment['state'], mediaType: string, shown: string]>([
  ['a picture that is ready is shown', { type: 'ready' }, 'image/png', '2 kB'],
  ['another file that is ready has its size', { type: 'ready' }, 'text/plain', '2 kB'],
  ['a file that is uploaded says how far', { type: 'uploading', sent: 0.4 }, 'text/plain', 'Uploading 40%'],
  [
    'an upload without a server says so',
    { type: 'waiting', sent: 0.4 },
    'text/plain',
    'Waiting for the server',
  ],
  ['a file that is read says so', { type: 'reading' }, 'image/png', 'Reading'],
  ['a file that failed says why', { type: 'failed', reason: 'Too large.' }, 'image/png', 'Too large.'],
])('UI-12 %s', (_, state, mediaType, shown) => {
  const isPicture = mediaType.startsWith('image/')
  const preview = isPicture ? { preview: 'data:image/png;base64,AA==' } : {}
  const shownFile = attachment({ state, mediaType, ...preview })
  using page = show(<AttachmentStrip attachments={[shownFile]} onRemove={vi.fn()} />)
  expect(page.getByRole('listitem').textContent).toBe(`leaf.png${shown}`)
  const isSeen = state.type !== 'failed' && isPicture
  expect(page.container.querySelector('img') !== null).toBe(isSeen)
})

test('UI-12 the file that is taken out is the one whose button was pressed', () => {
  const onRemove = vi.fn()
  const two = [attachment({}), attachment({ id: 'g', name: 'oak.png' })]
  using page = show(<AttachmentStrip attachments={two} onRemove={onRemove} />)
  fireEvent.click(page.getByRole('button', { name: 'Remove oak.png' }))
  expect(onRemove.mock.calls).toEqual([['g']])
})

test('UI-12 a file is read into an address that holds it', async () => {
  expect(await readAsDataUrl(new File(['gall'], 'a.txt', { type: 'text/plain' }))).toBe(
    `data:text/plain;base64,${btoa('gall')}`,
  )
})
