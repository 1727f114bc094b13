// @vitest-environment happy-dom
import { createEvent, fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { useFileDrop } from './use-file-drop.ts'

const FILE = new File(['x'], 'x.txt', { type: 'text/plain' })
const FILES = { types: ['Files'], files: [FILE] }
const WORDS = { types: ['text/plain'], files: [] }

function Target({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { over, handlers } = useFileDrop(onFiles)
  return (
    <div data-testid="target" data-over={over} {...handlers}>
      <p>Inside</p>
    </div>
  )
}

function open() {
  const onFiles = vi.fn<(files: File[]) => void>()
  const page = show(<Target onFiles={onFiles} />)
  const target = page.getByTestId('target')
  const inside = page.getByText('Inside')
  /** Returns whether the browser may act on the event itself. */
  const fire = (type: 'dragOver' | 'dragLeave' | 'drop', transfer: object, into: Element | null = null) => {
    const event = createEvent[type](inside)
    Object.defineProperty(event, 'dataTransfer', { value: transfer })
    Object.defineProperty(event, 'relatedTarget', { value: into })
    return fireEvent(inside, event)
  }
  return Object.assign(page, { onFiles, inside, target, fire, over: () => target.dataset['over'] === 'true' })
}

test('UI-12 files that are held over a target are announced by it, and words are not', () => {
  using page = open()
  expect(page.fire('dragOver', WORDS)).toBe(true)
  expect(page.over()).toBe(false)
  expect(page.fire('dragOver', FILES)).toBe(false)
  expect(page.over()).toBe(true)
})

test('UI-12 files that move over what is inside the target are still over it', () => {
  using page = open()
  page.fire('dragOver', FILES)
  page.fire('dragLeave', FILES, page.inside)
  expect(page.over()).toBe(true)
})

test('UI-12 files that leave the window are over nothing', () => {
  using page = open()
  page.fire('dragOver', FILES)
  page.fire('dragLeave', FILES, null)
  expect(page.over()).toBe(false)
})

test('UI-12 files that are dropped are given once, and the browser opens none of them', () => {
  using page = open()
  const second = new File(['y'], 'y.txt')
  page.fire('dragOver', FILES)
  expect(page.fire('drop', { ...FILES, files: [FILE, second] })).toBe(false)
  expect(page.onFiles.mock.calls).toEqual([[[FILE, second]]])
  expect(page.over()).toBe(false)
})

test('UI-12 a drop without files is left to the field, as of words', () => {
  using page = open()
  expect(page.fire('drop', WORDS)).toBe(true)
  expect(page.onFiles).not.toHaveBeenCalled()
})

test('UI-12 an empty drop of the kind of files ends the announcement', () => {
  using page = open()
  page.fire('dragOver', FILES)
  page.fire('drop', { types: ['Files'], files: [] })
  expect(page.over()).toBe(false)
  expect(page.onFiles).not.toHaveBeenCalled()
})
