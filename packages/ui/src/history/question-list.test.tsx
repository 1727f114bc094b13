// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { QuestionList, type QuestionListProps } from './question-list.tsx'

const LINES = ['Name the boat', 'And its oars?', ''].map((text, at) => ({
  messageId: `m${at + 1}`,
  text,
  summarised: at === 0,
  createdAt: at,
}))

async function list(props: Partial<QuestionListProps> = {}) {
  const on = { onGoTo: vi.fn(), onOpenChange: vi.fn(), onRetry: vi.fn() }
  const page = show(<QuestionList open questions={LINES} failed={false} currentId="m2" {...on} {...props} />)
  const field = await screen.findByRole('combobox', { name: 'Questions in this chat' })
  const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent ?? '')
  const press = (key: string) => fireEvent.keyDown(field, { key })
  const type = (value: string) => fireEvent.change(field, { target: { value } })
  return Object.assign(page, { on, field, options, press, type })
}

test('UI-8 the list of questions starts at the one that is read, and says which are summarised', async () => {
  using page = await list()
  const active = screen.getByRole('option', { selected: true })
  expect(active.textContent).toMatch(/^2And its oars\?.*you are here$/)
  expect(page.options()[0]).toMatch(/^1Name the boat.*summarised$/)
  expect(page.options()[2]).toMatch(/^3Attachment/)
})

test('UI-8 Home, End, First and Last lead to both ends of the questions, Enter to the active one', async () => {
  using page = await list()
  page.press('Home')
  page.press('Enter')
  page.press('End')
  page.press('Enter')
  const dialog = within(screen.getByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'First' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Last' }))
  expect(page.on.onGoTo.mock.calls).toEqual([['m1'], ['m3'], ['m1'], ['m3']])
})

test('UI-8 a filter takes words or a number, and says how many of the questions it leaves', async () => {
  using page = await list()
  page.type('OARS')
  expect(page.options()).toHaveLength(1)
  screen.getByText('1 of 3 questions')
  page.type('3')
  expect(page.options()[0]).toMatch(/^3/)
  page.type('nothing like it')
  expect(page.options()).toEqual([])
  screen.getByText('No questions match')
  // In a field with text these keys move the caret.
  expect(page.press('Home')).toBe(true)
})

test('UI-8 while the questions load, or failed to, the list says so and reads again on request', async () => {
  using page = await list({ questions: null })
  screen.getByText('Loading your questions')
  page.rerender(<QuestionList open questions={null} failed currentId={null} {...page.on} />)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(page.on.onRetry).toHaveBeenCalledOnce()
})
