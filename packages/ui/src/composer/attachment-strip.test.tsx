// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import type { AttachmentState, ComposerAttachment } from './attachment.ts'
import { AttachmentStrip } from './attachment-strip.tsx'

const attachment = (facts: Partial<ComposerAttachment> = {}): ComposerAttachment => ({
  id: 'f',
  name: 'notes.txt',
  mediaType: 'text/plain',
  size: 2_048,
  state: { type: 'ready' },
  ...facts,
})

function strip(...attachments: ComposerAttachment[]) {
  const on = { onRemove: vi.fn(), onInsertText: vi.fn() }
  return Object.assign(show(<AttachmentStrip attachments={attachments} {...on} />), { on })
}

const STATES: AttachmentState[] = [
  { type: 'reading' },
  { type: 'uploading', sent: 0.25 },
  { type: 'waiting', sent: 0.5 },
  { type: 'ready' },
  { type: 'failed', reason: 'Too large.' },
]

test.each(STATES)('UI-33 only what is on its way shows how far it is: %j', (state) => {
  using page = strip(attachment({ state }))
  const bar = page.queryByRole('progressbar', { name: 'Upload of notes.txt' })
  expect(bar !== null).toBe('sent' in state)
  if ('sent' in state)
    expect([bar?.getAttribute('value'), bar?.getAttribute('max')]).toEqual([`${state.sent}`, '1'])
})

test.each(STATES)('UI-33 a file is taken out in every state: %j', (state) => {
  using page = strip(attachment({ state }))
  fireEvent.click(page.getByRole('button', { name: 'Remove notes.txt' }))
  expect(page.on.onRemove.mock.calls).toEqual([['f']])
})

test.each(STATES)('UI-33 a long paste is turned back into text once it has been read: %j', (state) => {
  using page = strip(attachment({ state, pasted: true }))
  const button = page.queryByRole('button', { name: 'Turn notes.txt into text' })
  expect(button !== null).toBe(state.type !== 'reading')
  if (button === null) return
  fireEvent.click(button)
  expect(page.on.onInsertText.mock.calls).toEqual([['f']])
})

test('UI-33 a file that was attached is not turned into text', () => {
  using page = strip(attachment())
  expect(page.queryByRole('button', { name: /into text/ })).toBeNull()
})

test('UI-33 where a paste can’t be turned back no button offers it', () => {
  using page = show(<AttachmentStrip attachments={[attachment({ pasted: true })]} onRemove={vi.fn()} />)
  expect(page.queryByRole('button', { name: /into text/ })).toBeNull()
})

test('UI-33 a file that failed says why in the place of its size, and its picture is not shown', () => {
  const preview = 'data:image/png;base64,AA=='
  using page = strip(attachment({ preview, state: { type: 'failed', reason: 'The disk is full.' } }))
  expect(page.getByRole('listitem').textContent).toBe('notes.txtThe disk is full.')
  expect(page.container.querySelector('img')).toBeNull()
})

test('UI-33 a picture is shown while it is uploaded already, and is decoration beside its name', () => {
  const preview = 'data:image/png;base64,AA=='
  using page = strip(attachment({ preview, state: { type: 'uploading', sent: 0 } }))
  const picture = page.container.querySelector('img')
  expect([picture?.getAttribute('src'), picture?.getAttribute('alt')]).toEqual([preview, ''])
  expect(page.getByRole('listitem').textContent).toContain('Uploading 0%')
})

test('UI-12 two files of one name are two, and the one that is pressed is taken out', () => {
  using page = strip(attachment({ id: 'a' }), attachment({ id: 'b' }))
  const [, second] = page.getAllByRole('button', { name: 'Remove notes.txt' })
  fireEvent.click(second ?? page.container)
  expect(page.on.onRemove.mock.calls).toEqual([['b']])
})

test('UI-12 files keep the order in which they were attached', () => {
  const names = ['z.txt', 'a.txt', 'm.txt']
  using page = strip(...names.map((name) => attachment({ id: name, name, size: 1 })))
  const list = page.getByRole('list', { name: 'Attachments' })
  expect([...list.children].map((row) => row.textContent)).toEqual(names.map((name) => `${name}1 B`))
})

test('SX-3 a name that is markup is text, wherever it is shown', () => {
  const names = fc.constantFrom(
    '<img src=x>',
    '"><script>x</script>',
    "'; drop table--",
    '\u202egnp.exe',
    '&amp;',
  )
  fc.assert(
    fc.property(names, fc.constantFrom(...STATES), (name, state) => {
      using page = strip(attachment({ name, state, pasted: true }))
      expect(page.container.querySelector('img, script')).toBeNull()
      expect(page.getByText(name)).toBeTruthy()
      const labels = page.getAllByRole('button').map((button) => button.getAttribute('aria-label'))
      expect(labels).toContain(`Remove ${name}`)
    }),
    { numRuns: 20 },
  )
})
