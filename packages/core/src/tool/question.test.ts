import { toolRuntime } from '@palimpsest/testing/tool-runtime.ts'
import { expect, test } from 'vitest'
import type { Answer } from '../domain/permission/ask.ts'
import { questionTool } from './question.ts'

const ask = (...texts: string[]) =>
  questionTool.input.parse({ questions: texts.map((question) => ({ question, options: [] })) })
const execute = (answers: Answer[], ...texts: string[]) =>
  questionTool.execute(ask(...texts), toolRuntime({ answers }))

test('TO-6 each question is returned with its answer, several options joined', async () => {
  const answers = [['Red', 'my own; words'], ['Yes']]
  expect(await execute(answers, 'Which?', 'Sure?')).toEqual({
    text: 'Which?\nRed; my own; words\n\nSure?\nYes',
    data: { answers },
  })
})

test('TO-6 a question that was left out has no answer, and the others keep their place', async () => {
  expect((await execute([[], ['b']], '1?', '2?', '3?')).text).toBe(
    '1?\nNo answer.\n\n2?\nb\n\n3?\nNo answer.',
  )
})

test('TO-6 a person is asked the questions as the model wrote them, without any permission', () => {
  const args = questionTool.input.parse({
    questions: [{ question: 'Which?', options: [{ label: 'a', description: 'b' }], multiple: true }],
  })
  expect(questionTool.questions?.(args)).toEqual(args.questions)
  expect(questionTool.requires(args, toolRuntime())).toEqual([])
})

const option = (label = 'a') => ({ label })
test.for([
  ['no question', []],
  ['5 questions', Array.from({ length: 5 }, () => ({ question: 'x', options: [] }))],
  ['9 options', [{ question: 'x', options: Array.from({ length: 9 }, () => option()) }]],
  ['an empty text', [{ question: '', options: [] }]],
  ['a text of 1,001 characters', [{ question: 'x'.repeat(1_001), options: [] }]],
  ['an empty option', [{ question: 'x', options: [option('')] }]],
  ['an option of 201 characters', [{ question: 'x', options: [option('x'.repeat(201))] }]],
  [
    'a description of 501 characters',
    [{ question: 'x', options: [{ label: 'a', description: 'x'.repeat(501) }] }],
  ],
  ['no options at all', [{ question: 'x' }]],
] as const)('TO-6 a call with %s is a bad argument', ([, questions]) => {
  expect(questionTool.input.safeParse({ questions }).success).toBe(false)
})
