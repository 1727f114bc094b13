import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { readConversation } from './demo-conversation.ts'

const user = (text: string): LanguageModelV4Prompt[number] => ({
  role: 'user',
  content: [{ type: 'text', text }],
})

function resultsOf(...outputs: LanguageModelV4ToolResultPart['output'][]) {
  const content = outputs.map((output) => ({
    type: 'tool-result' as const,
    toolCallId: 'c',
    toolName: 'read',
    output,
  }))
  return readConversation([user('tools'), { role: 'tool', content }]).results
}

test('MO-5 the demo model reads the last message, its number and its instructions from the request', () => {
  const prompt: LanguageModelV4Prompt = [
    { role: 'system', content: 'Be kind.' },
    user('one'),
    { role: 'assistant', content: [{ type: 'text', text: 'two' }] },
    user('  three '),
  ]
  expect(readConversation(prompt)).toEqual({
    instructions: 'Be kind.',
    said: 'three',
    files: 0,
    turn: 2,
    results: [],
    written: '',
  })
})

test('MO-5 a reply that is to be continued is recognised with its text so far, and the reminder counts as no message', () => {
  const prompt: LanguageModelV4Prompt = [
    user('slow'),
    { role: 'assistant', content: [{ type: 'text', text: 'I will take' }] },
    user('<reminder>Go on.</reminder>'),
  ]
  expect(readConversation(prompt)).toMatchObject({ said: 'slow', turn: 1, written: 'I will take' })
})

test('MO-5 results from before the last message are over and done with', () => {
  const output = { type: 'text' as const, value: 'old' }
  const old: LanguageModelV4Prompt[number] = {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'todo', output }],
  }
  expect(readConversation([user('tools'), old, user('and now?')]).results).toEqual([])
})

test('MO-5 every form of a tool result is understood', () => {
  expect(
    resultsOf(
      { type: 'text', value: 'text' },
      { type: 'json', value: { a: 1 } },
      { type: 'content', value: [{ type: 'text', text: 'piece' }] },
      { type: 'error-text', value: 'no' },
      { type: 'error-json', value: { code: 1 } },
      { type: 'execution-denied' },
    ),
  ).toEqual([
    { toolName: 'read', text: 'text', failed: false },
    { toolName: 'read', text: '{"a":1}', failed: false },
    { toolName: 'read', text: 'piece', failed: false },
    { toolName: 'read', text: 'no', failed: true },
    { toolName: 'read', text: '{"code":1}', failed: true },
    { toolName: 'read', text: 'It was not allowed.', failed: true },
  ])
})

test('MO-5 a prompt without a user message is accepted', () => {
  expect(readConversation([])).toEqual({
    instructions: '',
    said: '',
    files: 0,
    turn: 0,
    results: [],
    written: '',
  })
})
