// @vitest-environment happy-dom
import type { FormRefusal, Question } from '@palimpsest/core/domain'
import { act, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showAsk } from '../testing/show-ask.tsx'
import { FormCard } from './form-card.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const NAME: Question = { question: 'Your name', options: [], hint: 'At most 20 characters.' }
const SEATS: Question = { question: 'Seats', options: [], preset: ['2'], optional: true }
const MEAL: Question = {
  question: 'Meal',
  options: [{ label: 'Meat' }, { label: 'Fish' }],
  closed: true,
  preset: ['Fish'],
  optional: true,
}
const DAYS: Question = {
  question: 'Days',
  options: [{ label: 'Mo' }, { label: 'Tu' }],
  closed: true,
  multiple: true,
  optional: true,
}
const SIZE: Question = { question: 'Size', options: [{ label: 'S' }], closed: true, optional: true }

function open(questions: Question[], { armed = true, message = 'Whom is it for?' } = {}) {
  const refused: FormRefusal[] = []
  const page = showAsk((props) => <FormCard {...props} onRefuse={(how) => refused.push(how)} />, {
    questions,
    form: { server: 'lab', message },
    armed,
  })
  return Object.assign(page, {
    refused,
    type: (name: RegExp, value: string) =>
      fireEvent.change(page.getByRole('textbox', { name }), { target: { value } }),
    press: (name: string) => fireEvent.click(page.getByRole('button', { name })),
  })
}

test('UI-16 the form of a server names it, says why it asks, and is sent with its usual answers', () => {
  using page = open([NAME, SEATS, MEAL, DAYS, SIZE])
  expect(page.getByRole('heading').textContent).toBe('lab asks you')
  expect(page.getByText('Whom is it for?')).toBeTruthy()
  expect(page.getByText(/sent to the MCP server lab/)).toBeTruthy()
  expect(page.getByRole('button', { name: 'Answer' })).toHaveProperty('disabled', true)
  page.type(/^Your name/, ' Ada ')
  page.press('Answer')
  expect(page.sent).toEqual([[['Ada'], ['2'], ['Fish'], [], []]])
})

test('UI-16 fields of a form are changed one by one, and choices taken back', () => {
  using page = open([NAME, SEATS, MEAL, DAYS, SIZE])
  page.type(/^Your name/, 'Ada')
  page.type(/^Seats/, '')
  fireEvent.click(page.getByLabelText('Meat'))
  fireEvent.click(page.getByLabelText('Mo'))
  fireEvent.click(page.getByLabelText('Tu'))
  fireEvent.click(page.getByLabelText('Mo'))
  fireEvent.click(page.getByLabelText('S'))
  fireEvent.click(page.getByLabelText('No answer'))
  page.press('Answer')
  expect(page.sent).toEqual([[['Ada'], [], ['Meat'], ['Tu'], []]])
})

test.each([
  ['Decline', 'decline'],
  ['Close', 'cancel'],
])('UI-16 %s refuses a form without an answer', (name, how) => {
  using page = open([NAME])
  page.press(name)
  expect([page.refused, page.sent]).toEqual([[how], []])
})

test('UI-16 nothing of a form is sent in the first 500 ms, nor while a reply is on its way', () => {
  using page = open([MEAL], { armed: false })
  for (const name of ['Answer', 'Decline', 'Close']) page.press(name)
  fireEvent.submit(page.getByRole('button', { name: 'Answer' }))
  act(() => vi.advanceTimersByTime(500))
  page.draw(true)
  for (const name of ['Answer', 'Decline', 'Close']) page.press(name)
  expect([page.sent, page.refused]).toEqual([[], []])
  expect(page.getByRole('status').textContent).toBe('Sending your reply')
})

test('UI-16 a form without fields is accepted or declined', () => {
  using page = open([])
  page.press('Answer')
  expect(page.sent).toEqual([[]])
})

test('SX-3 what a server says in a form is text, whatever it looks like', () => {
  const text = '<img src=x> **bold** [x](javascript:1)'
  using page = open([{ question: text, hint: text, options: [{ label: text }] }], { message: text })
  expect(page.getAllByText(text, { exact: false }).length).toBeGreaterThanOrEqual(3)
  expect(page.container.querySelector('img, strong, a')).toBeNull()
})
