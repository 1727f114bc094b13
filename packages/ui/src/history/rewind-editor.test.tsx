// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { RewindEditor, type RewindEditorProps } from './rewind-editor.tsx'

function editor(effect: RewindEditorProps['effect']) {
  const on = {
    onTextChange: vi.fn(),
    onAttach: vi.fn(),
    onRemoveAttachment: vi.fn(),
    onSend: vi.fn(),
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
