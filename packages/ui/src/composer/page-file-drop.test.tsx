// @vitest-environment happy-dom
import { createEvent, fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useHarmlessDrops } from '../shell/use-harmless-drops.ts'
import { show } from '../testing/show.tsx'
import { Composer } from './composer.tsx'
import { PageFileDrop } from './page-file-drop.tsx'

const FILE = new File(['x'], 'x.txt', { type: 'text/plain' })
const FILES = { files: [FILE], types: ['Files'] }
const WORDS = { files: [], types: ['text/plain'] }
const noop = () => undefined

/** False when the browser's own way with it was prevented. */
function drag(target: Element, type: 'dragOver' | 'dragLeave' | 'drop', dataTransfer: object): boolean {
  const event = createEvent[type](target)
  Object.defineProperty(event, 'dataTransfer', { value: dataTransfer })
  if (type === 'dragLeave') Object.defineProperty(event, 'relatedTarget', { value: null })
  return fireEvent(target, event)
}

function Page({
  onPage,
  onComposer,
}: {
  onPage: (files: File[]) => void
  onComposer: (files: File[]) => void
}) {
  useHarmlessDrops()
  return (
    <>
      <h1>Elsewhere</h1>
      <PageFileDrop onFiles={onPage} />
      <Composer
        value=""
        attachments={[]}
        running={false}
        onValueChange={noop}
        onAttach={onComposer}
        onRemoveAttachment={noop}
        onSend={noop}
        onStop={noop}
      />
    </>
  )
}

function open() {
  const [onPage, onComposer] = [vi.fn(), vi.fn()]
  const page = show(<Page onPage={onPage} onComposer={onComposer} />)
  const zones = () => page.queryAllByText('Drop files to attach them').length
  return Object.assign(page, { onPage, onComposer, zones, elsewhere: page.getByText('Elsewhere') })
}

test('UI-33 files that are dropped anywhere on the page are taken, with a zone while they are held', () => {
  using page = open()
  expect(drag(page.elsewhere, 'dragOver', FILES)).toBe(false)
  expect(page.zones()).toBe(1)
  drag(page.elsewhere, 'dragLeave', FILES)
  expect(page.zones()).toBe(0)
  drag(page.elsewhere, 'dragOver', FILES)
  expect(drag(page.elsewhere, 'drop', FILES)).toBe(false)
  expect(page.zones()).toBe(0)
  expect(page.onPage.mock.calls).toEqual([[[FILE]]])
})

test('UI-33 files that are dropped on a field of their own are taken once', () => {
  using page = open()
  const field = page.getByRole('textbox', { name: 'Message' })
  drag(field, 'dragOver', FILES)
  expect(page.zones()).toBe(1)
  drag(field, 'drop', FILES)
  expect(page.onComposer).toHaveBeenCalledOnce()
  expect(page.onPage).not.toHaveBeenCalled()
})

test('UI-33 files that are dropped while a dialog is open go nowhere, and words are left to the browser', () => {
  using page = open()
  const dialog = document.body.appendChild(document.createElement('div'))
  dialog.setAttribute('role', 'dialog')
  dialog.setAttribute('data-open', '')
  for (const target of [dialog, page.elsewhere]) {
    expect(drag(target, 'dragOver', FILES)).toBe(false)
    expect(page.zones()).toBe(0)
    expect(drag(target, 'drop', FILES)).toBe(false)
  }
  dialog.remove()
  expect(drag(page.elsewhere, 'dragOver', WORDS)).toBe(true)
  expect(drag(page.elsewhere, 'drop', WORDS)).toBe(true)
  expect(page.zones()).toBe(0)
  expect(page.onPage).not.toHaveBeenCalled()
})
