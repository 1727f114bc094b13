import { expect, test } from 'vitest'
import { questionTool } from '../../../../../packages/core/src/tool/question.ts'
import type { DemoConversation, DemoToolResult } from './demo-conversation.ts'
import { nextQuestionMove } from './question-plan.ts'

const available = new Set(['question'])

function conversation(results: DemoToolResult[] = []): DemoConversation {
  return { instructions: '', said: 'ask me', files: 0, turn: 1, results, written: '' }
}

test('MO-5 a demonstration of questions asks what the tool takes, with options of both kinds', () => {
  const { call } = nextQuestionMove(conversation(), available)
  const { questions } = questionTool.input.parse(call?.input)
  expect(questions.map(({ multiple = false }) => multiple)).toEqual([false, true])
})

test('MO-5 the answers are in the reply, whatever words they have', () => {
  const text = 'What should I write about?\nThe *sea*\n\nHow should it sound?\nShort; Funny'
  const { say, call } = nextQuestionMove(
    conversation([{ toolName: 'question', text, failed: false }]),
    available,
  )
  expect(call).toBeNull()
  expect(say).toContain('The \\*sea\\*')
  expect(say).toContain('Short; Funny')
})

test('MO-5 without the tool or without an answer the reply says so', () => {
  expect(nextQuestionMove(conversation(), new Set())).toMatchObject({ call: null })
  const failed = { toolName: 'question', text: 'Stopped.', failed: true }
  expect(nextQuestionMove(conversation([failed]), available).say).toContain('no answer')
})
