// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { stubMedia } from '../testing/stub-media.ts'
import { PromptList, type PromptListProps } from './prompt-list.tsx'

const PROMPTS = [
  { id: 'm3', text: 'And its oars?', createdAt: 2, hides: 1 },
  { id: 'm1', text: 'How would you name a boat?', createdAt: 1, hides: 3 },
]

afterEach(() => vi.unstubAllGlobals())

function list(props: Partial<PromptListProps> = {}) {
  const on = { onOpenChange: vi.fn(), onEdit: vi.fn(), onRewind: vi.fn(), onPoint: vi.fn() }
  const page = show(<PromptList open prompts={PROMPTS} restoresFiles files={null} {...on} {...props} />)
  return Object.assign(page, { on })
}

test.each([
  [true, null, 'Nothing is deleted, and files that replies changed are restored.'],
  [true, 0, 'Nothing is deleted, and no files are restored.'],
  [true, 2, 'Nothing is deleted, and 2 files are restored.'],
  [false, null, 'Nothing is deleted, and files are not restored.'],
])(
  'RW-5 the list of prompts says whether files are restored (%s) and how many (%s)',
  (restoresFiles, files, words) => {
    using page = list({ restoresFiles, files })
    expect(page.getByText(words)).toBeDefined()
  },
)

test('UI-17 a prompt is edited by a click, and only rewound to by the button for the one that is pointed at', () => {
  using page = list()
  fireEvent.click(page.getByText('How would you name a boat?'))
  expect(page.on.onEdit).toHaveBeenCalledExactlyOnceWith('m1')
  fireEvent.click(page.getByRole('button', { name: /Rewind without sending/ }))
  expect(page.on.onRewind).toHaveBeenCalledExactlyOnceWith('m3')
})

test('UI-17 a finger points at a prompt first, and then chooses what becomes of it', () => {
  using _media = stubMedia()
  using page = list()
  fireEvent.click(page.getByText('How would you name a boat?'))
  expect(page.on.onEdit).not.toHaveBeenCalled()
  expect(page.on.onPoint).toHaveBeenLastCalledWith('m1')
  fireEvent.click(page.getByRole('button', { name: /Rewind without sending/ }))
  expect(page.on.onRewind).toHaveBeenCalledExactlyOnceWith('m1')
})
