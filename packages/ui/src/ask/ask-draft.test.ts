import { expect, test } from 'vitest'
import {
  answerDraft,
  chooseOption,
  chooseOwn,
  EMPTY_ASK_DRAFT,
  enteredText,
  toAnswers,
  withAnswer,
  writeOwn,
} from './ask-draft.ts'

const one = { question: 'Which way?', options: [{ label: 'Left' }, { label: 'Right' }] }
const many = { ...one, multiple: true }
const none = answerDraft(EMPTY_ASK_DRAFT, 0)

test('UI-16 of a single choice one answer counts, and an own text stays while an option is chosen', () => {
  const own = writeOwn(chooseOption(none, 1, false), 'Straight on', false)
  expect(toAnswers([one], withAnswer(EMPTY_ASK_DRAFT, 0, own))).toEqual([['Straight on']])
  const option = chooseOption(own, 0, false)
  expect(toAnswers([one], withAnswer(EMPTY_ASK_DRAFT, 0, option))).toEqual([['Left']])
  const back = chooseOwn(option, false)
  expect(toAnswers([one], withAnswer(EMPTY_ASK_DRAFT, 0, back))).toEqual([['Straight on']])
})

test('UI-16 of a multiple choice every choice counts in the order of the options, with the own text last', () => {
  const both = chooseOption(chooseOption(writeOwn(none, ' Up ', true), 1, true), 0, true)
  expect(toAnswers([many], withAnswer(EMPTY_ASK_DRAFT, 0, both))).toEqual([['Left', 'Right', 'Up']])
  const less = chooseOwn(chooseOption(both, 0, true), true)
  expect(toAnswers([many], withAnswer(EMPTY_ASK_DRAFT, 0, less))).toEqual([['Right']])
})

test('UI-16 there are no answers to send while one question has none', () => {
  expect(toAnswers([one], EMPTY_ASK_DRAFT)).toBeNull()
  const second = withAnswer(EMPTY_ASK_DRAFT, 1, chooseOption(none, 0, false))
  expect(toAnswers([one, one], second)).toBeNull()
  expect(toAnswers([one], withAnswer(EMPTY_ASK_DRAFT, 0, writeOwn(none, '  ', false)))).toBeNull()
  const whole = withAnswer(second, 0, chooseOption(none, 1, false))
  expect(toAnswers([one, one], whole)).toEqual([['Right'], ['Left']])
})

test('UI-16 what was entered in words is kept as one text, without choices', () => {
  expect(enteredText(withAnswer(EMPTY_ASK_DRAFT, 0, chooseOption(none, 1, false)))).toBe('')
  const draft = withAnswer({ reason: ' Too early ', answers: [] }, 1, writeOwn(none, 'A heron', true))
  expect(enteredText(draft)).toBe('Too early\n\nA heron')
})
