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

function field(page: ReturnType<typeof list>) {
  const input = page.getByRole('combobox', { name: 'Rewind to one of your messages' })
  return {
    input,
    type: (value: string) => fireEvent.change(input, { target: { value } }),
    press: (key: string, more: KeyboardEventInit = {}) => fireEvent.keyDown(input, { key, ...more }),
  }
}

const rows = (page: ReturnType<typeof list>) => page.queryAllByRole('option')

test('UI-17 Enter edits the message that is pointed at and closes the list first', () => {
  using page = list()
  const { press } = field(page)
  press('ArrowDown')
  press('Enter')
  expect(page.on.onEdit).toHaveBeenCalledExactlyOnceWith('m1')
  expect(page.on.onOpenChange).toHaveBeenCalledExactlyOnceWith(false)
  const [closed, edited] = [page.on.onOpenChange, page.on.onEdit].map(
    ({ mock }) => mock.invocationCallOrder[0],
  )
  expect(closed).toBeLessThan(edited ?? 0)
})

test.each(['metaKey', 'ctrlKey'])('UI-17 Enter with %s rewinds to the message without editing it', (held) => {
  using page = list()
  expect(field(page).press('Enter', { [held]: true })).toBe(false)
  expect(page.on.onRewind).toHaveBeenCalledExactlyOnceWith('m3')
  expect(page.on.onEdit).not.toHaveBeenCalled()
})

test('UI-17 the latest message is pointed at first, and the arrow keys lead round', () => {
  using page = list()
  const { press } = field(page)
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) press(key)
  expect(page.on.onPoint.mock.calls).toEqual([['m3'], ['m1'], ['m3'], ['m1']])
})

test('UI-17 a search keeps the messages with all of its words in any case, and points at the first', () => {
  using page = list()
  const { type } = field(page)
  type('BOAT name')
  expect(rows(page).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^How would you name a boat\?/),
  ])
  expect(page.on.onPoint).toHaveBeenLastCalledWith('m1')
  type('  oars ')
  expect(page.on.onPoint).toHaveBeenLastCalledWith('m3')
})

test('UI-17 a search without a match points at nothing, and nothing can be chosen', () => {
  using page = list()
  const { input, type, press } = field(page)
  type('anchor')
  expect(page.getByText('No messages match')).toBeDefined()
  expect(page.on.onPoint).toHaveBeenLastCalledWith(null)
  expect(input.hasAttribute('aria-activedescendant')).toBe(false)
  for (const held of [{}, { ctrlKey: true }]) press('Enter', held)
  for (const name of [/^Edit and send again/, /^Rewind without sending/]) {
    const button = page.getByRole('button', { name })
    expect(button).toHaveProperty('disabled', true)
    fireEvent.click(button)
  }
  for (const act of [page.on.onEdit, page.on.onRewind, page.on.onOpenChange])
    expect(act).not.toHaveBeenCalled()
})

test('UI-17 a message of files alone is called an attachment, and found by no word', () => {
  using page = list({ prompts: [{ id: 'm9', text: '', createdAt: 0, hides: 0 }] })
  expect(rows(page)[0]?.textContent).toMatch(/^Attachment.*hides nothing$/)
  field(page).type('attachment')
  expect(rows(page)).toEqual([])
})

test('UI-17 earlier messages are loaded by a button, which is absent once all are', () => {
  const onLoadOlder = vi.fn()
  using page = list({ onLoadOlder })
  fireEvent.click(page.getByRole('button', { name: 'Load earlier messages' }))
  expect(onLoadOlder).toHaveBeenCalledOnce()
  page.rerender(<PromptList open prompts={PROMPTS} restoresFiles files={null} {...page.on} />)
  expect(page.queryByRole('button', { name: 'Load earlier messages' })).toBeNull()
})

test('UI-17 a list without any message says that none match and can load earlier ones', () => {
  using page = list({ prompts: [], onLoadOlder: vi.fn() })
  expect(page.getByText('No messages match')).toBeDefined()
  expect(page.getByRole('button', { name: 'Load earlier messages' })).toBeDefined()
  expect(page.on.onPoint.mock.calls).toEqual([[null]])
})

test('UI-17 the pointer points at a message without choosing it', () => {
  using page = list()
  const [, second] = rows(page)
  fireEvent.pointerMove(second ?? document.body)
  expect(page.on.onPoint).toHaveBeenLastCalledWith('m1')
  expect(second?.getAttribute('aria-selected')).toBe('true')
  expect(page.on.onEdit).not.toHaveBeenCalled()
})

test('UI-17 Enter that ends the composition of a word chooses nothing', () => {
  using page = list()
  field(page).press('Enter', { isComposing: true })
  expect(page.on.onEdit).not.toHaveBeenCalled()
})

test('UI-17 an empty list says that there is nothing to rewind, and a search without a match says that', () => {
  {
    using empty = list({ prompts: [] })
    expect(empty.getByText(/There is nothing to rewind yet/)).toBeDefined()
  }
  using page = list()
  field(page).type('anchor')
  expect(page.getByText('No messages match')).toBeDefined()
})
