import { expect, test } from 'vitest'
import { type DemoRequest, recogniseRequest } from './demo-request.ts'

const CASES: readonly (readonly [string, DemoRequest])[] = [
  ['Show me a rate limit', 'rate-limit'],
  ['What happens on HTTP 429?', 'rate-limit'],
  ['fail', 'fail'],
  ['Please simulate an error', 'fail'],
  ['Answer slowly so that I can stop you', 'slow'],
  ['Use your tools to plan a trip', 'tools'],
  ['Make a to-do list', 'tools'],
  ['Spend your budget', 'budget'],
  ['What does a budget do with tools?', 'budget'],
  ['Now use your tools to look around this workspace.', 'tools'],
  ['Ask a subagent to look around.', 'subagent'],
  ['Have a helper edit a file', 'subagent'],
  ['Let a sub-agent answer slowly in the background', 'subagent'],
  ['@explore look for the plans', 'subagent'],
  ['Look around in this folder.', 'look-around'],
  ['Edit a file', 'edit-file'],
  ['Write me a small file', 'edit-file'],
  ['ask me', 'ask-me'],
  ['Ask me something before you answer.', 'ask-me'],
  ['I have a question', 'talk'],
  ['Think about a puzzle', 'think'],
  ['Write a very long answer', 'long'],
  ['How long does it take?', 'talk'],
  ['It was a long time ago', 'talk'],
  ['How does the queue work?', 'queue'],
  ['Draw me a diagram', 'diagram'],
  ['Show me a formula', 'math'],
  ['a table, please', 'table'],
  ['Some Python code', 'code'],
  ['What can you do?', 'help'],
  ['Show me what you can do.', 'help'],
  ['Think it through step by step: why is nothing ever lost here?', 'think'],
  ['Hit a rate limit and recover.', 'rate-limit'],
  ['Draw a diagram of how a message travels.', 'diagram'],
  ['', 'talk'],
  ['Tell me about Vienna', 'talk'],
]

test.for(CASES)('MO-5 “%s” is understood as %s', ([said, request]) => {
  expect(recogniseRequest(said)).toBe(request)
})
