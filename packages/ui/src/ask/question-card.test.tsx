// @vitest-environment happy-dom
import type { Question } from '@palimpsest/core/domain'
import { act, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showAsk } from '../testing/show-ask.tsx'
import { QuestionCard } from './question-card.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const one: Question = { question: 'Which way?', options: [{ label: 'Left' }, { label: 'Right' }] }
const many: Question = { ...one, question: 'With what?', multiple: true }
const free: Question = { question: 'How?', options: [] }

function open(questions: Question[], armed = true) {
  const page = showAsk((props) => <QuestionCard {...props} />, { questions, armed })
  return Object.assign(page, {
    choose: (name: string) => fireEvent.click(page.getByLabelText(name)),
    own: (name: string) => page.getByRole('textbox', { name: `Your own answer: ${name}` }),
    submit: () => page.getByRole('button', { name: 'Answer' }),
  })
}

test('UI-16 one question shows no count, and several show how many are answered', () => {
  using alone = open([one])
  expect(alone.getByRole('heading').textContent).toBe('1 question for you')
  expect(alone.queryByText(/answered/)).toBeNull()
  alone.unmount()
  using page = open([one, many, free])
  expect(page.getByRole('heading').textContent).toBe('3 questions for you')
  expect(page.getByText('0 of 3 answered')).toBeTruthy()
})

test('UI-16 a question with one answer has radio buttons, one with several has boxes and says so', () => {
  using page = open([one, many])
  expect(page.getAllByRole('radio')).toHaveLength(3)
  expect(page.getAllByRole('checkbox')).toHaveLength(3)
  expect(page.getAllByText('Choose any number.')).toHaveLength(1)
})

test('UI-16 nothing is sent in the first 500 ms, and the answer is kept for after them', () => {
  using page = open([one], false)
  page.choose('Left')
  fireEvent.click(page.submit())
  fireEvent.submit(page.submit())
  expect(page.sent).toEqual([])
  act(() => vi.advanceTimersByTime(500))
  fireEvent.click(page.submit())
  expect(page.sent).toEqual([[['Left']]])
})

test('UI-16 nothing is sent while a question has no answer, by a form that is submitted either', () => {
  using page = open([one, free])
  page.choose('Left')
  fireEvent.submit(page.submit())
  expect(page.sent).toEqual([])
  expect(page.getByText('1 of 2 answered')).toBeTruthy()
})

test('UI-16 a question without options is answered in own words', () => {
  using page = open([free])
  page.choose('Something else…')
  expect(page.submit()).toHaveProperty('disabled', true)
  fireEvent.change(page.own('How?'), { target: { value: '  Slowly  ' } })
  fireEvent.click(page.submit())
  expect(page.sent).toEqual([[['Slowly']]])
})

test('UI-16 own words of spaces are no answer', () => {
  using page = open([one])
  page.choose('Something else…')
  fireEvent.change(page.own('Which way?'), { target: { value: ' \n ' } })
  fireEvent.submit(page.submit())
  expect(page.sent).toEqual([])
})

test('UI-16 the field for own words is there only while they are chosen, and keeps them', () => {
  using page = open([one])
  expect(page.queryByRole('textbox')).toBeNull()
  page.choose('Something else…')
  expect(page.own('Which way?')).toHaveProperty('maxLength', 40)
  fireEvent.change(page.own('Which way?'), { target: { value: 'Straight on' } })
  page.choose('Left')
  expect(page.queryByRole('textbox')).toBeNull()
  page.choose('Something else…')
  expect(page.own('Which way?')).toHaveProperty('value', 'Straight on')
})

test('UI-16 Enter in own words sends, Shift Enter and a word that is composed do not', () => {
  using page = open([one])
  page.choose('Something else…')
  const field = page.own('Which way?')
  fireEvent.change(field, { target: { value: 'Up' } })
  expect(fireEvent.keyDown(field, { key: 'Enter', shiftKey: true })).toBe(true)
  expect(fireEvent.keyDown(field, { key: 'Enter', isComposing: true })).toBe(true)
  expect(page.sent).toEqual([])
  expect(fireEvent.keyDown(field, { key: 'Enter' })).toBe(false)
  expect(page.sent).toEqual([[['Up']]])
})

test('UI-16 while an answer is on its way nothing is sent and nothing can be changed', () => {
  using page = open([one])
  page.choose('Left')
  page.draw(true)
  expect(page.getByRole('status').textContent).toBe('Sending your reply')
  expect(page.getByRole('group')).toHaveProperty('disabled', true)
  fireEvent.submit(page.submit())
  expect(page.sent).toEqual([])
  page.draw(false)
  fireEvent.click(page.submit())
  expect(page.sent).toEqual([[['Left']]])
})

test('UI-16 a number on a question chooses nothing', () => {
  using page = open([one])
  const card = page.getByRole('region', { name: '1 question for you' })
  for (const key of ['1', '2', '3', '4']) expect(fireEvent.keyDown(card, { key })).toBe(true)
  expect(page.submit()).toHaveProperty('disabled', true)
})

test('UI-16 a choice of several is taken back, and the count with it', () => {
  using page = open([many, free])
  page.choose('Left')
  page.choose('Right')
  expect(page.getByText('1 of 2 answered')).toBeTruthy()
  page.choose('Left')
  page.choose('Right')
  expect(page.getByText('0 of 2 answered')).toBeTruthy()
})

test('UI-16 two options of one label are two choices', () => {
  const twins: Question = { ...many, options: [{ label: 'Ink' }, { label: 'Ink', description: 'of galls' }] }
  using page = open([twins])
  const [first, second] = page.getAllByRole('checkbox')
  fireEvent.click(second ?? document.body)
  expect([first, second].map((box) => box instanceof HTMLInputElement && box.checked)).toEqual([false, true])
  fireEvent.click(page.submit())
  expect(page.sent).toEqual([[['Ink']]])
})

test('UI-16 two questions of one text are answered each for itself', () => {
  using page = open([one, one])
  const [left, right] = [page.getAllByLabelText('Left')[0], page.getAllByLabelText('Right')[1]]
  fireEvent.click(left ?? document.body)
  fireEvent.click(right ?? document.body)
  fireEvent.click(page.submit())
  expect(page.sent).toEqual([[['Left'], ['Right']]])
})

test('SX-3 a question and its options are text, whatever they look like', () => {
  const text = '<img src=x> **bold** [x](javascript:1)'
  using page = open([{ question: text, options: [{ label: text, description: text }] }])
  expect(page.getAllByText(text, { exact: false }).length).toBeGreaterThanOrEqual(3)
  expect(page.container.querySelector('img, strong, a')).toBeNull()
})

test('UI-16 Esc in a choice leaves the card and sends nothing', () => {
  using page = open([one])
  page.choose('Left')
  fireEvent.keyDown(page.getByLabelText('Left'), { key: 'Escape' })
  expect(page.left).toHaveBeenCalledOnce()
  expect(page.sent).toEqual([])
})
