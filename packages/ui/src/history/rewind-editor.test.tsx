// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { AttachmentState, ComposerAttachment } from '../composer/attachment.ts'
import { show } from '../testing/show.tsx'
import { stubMedia } from '../testing/stub-media.ts'
import { RewindEditor, type RewindEditorProps } from './rewind-editor.tsx'

function editor(effect: RewindEditorProps['effect']) {
  const on = {
    onTextChange: vi.fn(),
    onAttach: vi.fn(),
    onRemoveAttachment: vi.fn(),
    onSend: vi.fn(),
    onRewind: vi.fn(),
    onCancel: vi.fn(),
  }
  return <RewindEditor text="Again" attachments={[]} running={false} effect={effect} {...on} />
}

test('RW-5 the editor says before a rewind what happens to files, once they are counted', () => {
  using page = show(editor(null))
  expect(page.queryByText(/file/)).toBeNull()
  page.rerender(editor({ hides: 2, files: null }))
  expect(page.getByText(/hides 2 messages after it.* Files are not restored\./)).toBeDefined()
  page.rerender(editor({ hides: 2, files: 0 }))
  expect(page.getByText(/No files are restored\./)).toBeDefined()
  page.rerender(editor({ hides: 0, files: 1 }))
  expect(page.getByText(/1 file is restored\./)).toBeDefined()
})

test('UI-17 what is counted is said below the buttons, which do not move when it comes', () => {
  using page = show(editor({ hides: 2, files: 0 }))
  const hint = page.getByText(/hides 2 messages/)
  for (const button of page.getAllByRole('button'))
    expect(button.compareDocumentPosition(hint)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

function open(props: Partial<RewindEditorProps> = {}) {
  const on = {
    onTextChange: vi.fn(),
    onAttach: vi.fn(),
    onRemoveAttachment: vi.fn(),
    onSend: vi.fn(),
    onRewind: vi.fn(),
    onCancel: vi.fn(),
  }
  const page = show(
    <RewindEditor text="Again" attachments={[]} running={false} effect={null} {...on} {...props} />,
  )
  const field = page.getByRole('textbox', { name: 'Edit message' })
  if (!(field instanceof HTMLTextAreaElement)) throw new Error('The field is a text area.')
  const press = (key: string, more: KeyboardEventInit = {}) => fireEvent.keyDown(field, { key, ...more })
  return Object.assign(page, { on, field, press })
}

function attachment(state: AttachmentState): ComposerAttachment {
  return { id: 'a1', name: 'ink.txt', mediaType: 'text/plain', size: 3, state }
}

test('UI-17 the editor opens with the focus at the end of the message', () => {
  using page = open({ text: 'How would you name a boat?' })
  expect(document.activeElement).toBe(page.field)
  expect([page.field.selectionStart, page.field.selectionEnd]).toEqual([26, 26])
})

test('UI-17 what is typed is reported, and the message itself is unchanged until it is sent', () => {
  using page = open()
  fireEvent.change(page.field, { target: { value: 'Again, please' } })
  expect(page.on.onTextChange).toHaveBeenCalledExactlyOnceWith('Again, please')
  expect(page.field.value).toBe('Again')
})

test.each<[string, KeyboardEventInit, number]>([
  ['Enter', {}, 1],
  ['⌘ Enter', { metaKey: true }, 1],
  ['Ctrl Enter', { ctrlKey: true }, 1],
  ['Shift Enter', { shiftKey: true }, 0],
  ['⌘ Shift Enter', { metaKey: true, shiftKey: true }, 1],
  ['Enter that ends the composition of a word', { isComposing: true }, 0],
])('UI-17 %s sends the edited message as often as expected', (_, keys, times) => {
  using page = open()
  page.press('Enter', keys)
  expect(page.on.onSend).toHaveBeenCalledTimes(times)
})

test('UI-17 under a finger Enter is a new line, and Ctrl Enter still sends', () => {
  using _media = stubMedia()
  using page = open()
  expect(page.press('Enter')).toBe(true)
  expect(page.on.onSend).not.toHaveBeenCalled()
  page.press('Enter', { ctrlKey: true })
  expect(page.on.onSend).toHaveBeenCalledOnce()
})

test('UI-17 Esc cancels the edit and acts on nothing else of the page', () => {
  using page = open()
  const outer = vi.fn()
  document.body.addEventListener('keydown', outer)
  expect(page.press('Escape')).toBe(false)
  document.body.removeEventListener('keydown', outer)
  expect(page.on.onCancel).toHaveBeenCalledOnce()
  expect(outer).not.toHaveBeenCalled()
})

test('UI-17 Esc that ends the composition of a word cancels nothing', () => {
  using page = open()
  page.press('Escape', { isComposing: true })
  expect(page.on.onCancel).not.toHaveBeenCalled()
})

test.each<[string, string, AttachmentState | null, boolean]>([
  ['no words and no file', '', null, false],
  ['spaces and no file', ' \n\t ', null, false],
  ['no words and a file', '', { type: 'ready' }, true],
  ['words and a file that is read', 'Ink', { type: 'reading' }, false],
  ['words and a file on its way', 'Ink', { type: 'uploading', sent: 0.9 }, false],
  ['words and a file that waits', 'Ink', { type: 'waiting', sent: 0.9 }, false],
  ['words and a file that failed', 'Ink', { type: 'failed', reason: 'Too large.' }, false],
  ['words and a file that is there', 'Ink', { type: 'ready' }, true],
])('UI-17 whether a message with %s is sent by key and button', (_, text, state, sends) => {
  using page = open({ text, attachments: state === null ? [] : [attachment(state)] })
  const button = page.getByRole('button', { name: 'Save and send' })
  expect(button).toHaveProperty('disabled', !sends)
  expect(page.press('Enter')).toBe(false)
  fireEvent.click(button)
  expect(page.on.onSend).toHaveBeenCalledTimes(sends ? 2 : 0)
})

test('UI-17 a rewind without sending is possible whatever is entered', () => {
  using page = open({ text: '', attachments: [attachment({ type: 'reading' })] })
  fireEvent.click(page.getByRole('button', { name: 'Rewind without sending' }))
  expect(page.on.onRewind).toHaveBeenCalledOnce()
  expect(page.on.onSend).not.toHaveBeenCalled()
})

test('UI-17 the button says that sending stops the reply in progress', () => {
  using page = open({ running: true })
  fireEvent.click(page.getByRole('button', { name: 'Stop, save and send' }))
  expect(page.on.onSend).toHaveBeenCalledOnce()
  expect(page.queryByRole('button', { name: 'Save and send' })).toBeNull()
})

test('UI-17 the editor is cancelled by its button', () => {
  using page = open()
  fireEvent.click(page.getByRole('button', { name: /^Cancel/ }))
  expect(page.on.onCancel).toHaveBeenCalledOnce()
})

function clipboard(files: File[], text = '') {
  return { clipboardData: { files, getData: () => text } }
}

test('UI-12 UI-17 files that are pasted into the editor are attached, words are left to the field', () => {
  using page = open()
  const file = new File(['ink'], 'ink.txt')
  expect(fireEvent.paste(page.field, clipboard([file]))).toBe(false)
  expect(page.on.onAttach).toHaveBeenCalledExactlyOnceWith([file])
  expect(fireEvent.paste(page.field, clipboard([], 'Of wax?'))).toBe(true)
  expect(page.on.onAttach).toHaveBeenCalledOnce()
})

test('UI-33 a long paste into the editor becomes a file', () => {
  using page = open()
  expect(fireEvent.paste(page.field, clipboard([], 'x'.repeat(10_000)))).toBe(true)
  expect(fireEvent.paste(page.field, clipboard([], 'x'.repeat(10_001)))).toBe(false)
  expect(page.on.onAttach.mock.calls.flat(2).map(({ name }) => name)).toEqual(['pasted.txt'])
})

test('UI-17 what a rewind does describes the field', () => {
  using page = open({ effect: { hides: 1, files: 3 } })
  const hint = document.getElementById(page.field.getAttribute('aria-describedby') ?? '')
  expect(hint?.textContent).toBe(
    'Replaces this message and hides 1 message after it. You can restore them. 3 files are restored.',
  )
})

test('UI-17 the picker of the model is in the foot of the editor', () => {
  using page = open({ model: <span>Oak 2</span> })
  expect(page.getByText('Oak 2')).toBeDefined()
})

test('RW-12 what becomes of each file is in the editor, before the rewind', () => {
  using page = open({ fates: <p>agent.ts is restored</p> })
  expect(page.getByText('agent.ts is restored')).toBeDefined()
})
