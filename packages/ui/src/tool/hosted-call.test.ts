import { expect, test } from 'vitest'
import { groupParts } from '../message/group-parts.ts'
import { toolWords } from '../messages/en-parts.ts'
import { changeOf } from './change-of.ts'
import { askedQuestions } from './question-part.ts'
import { failedExit, runsOn, shownOutput, subagentOf, type ToolPart, toolTitle } from './tool-part.ts'

const { titles } = toolWords
const hosted = (name: string, input: unknown, output: unknown): ToolPart => ({
  type: `tool-${name}`,
  toolCallId: 'c',
  state: 'output-available',
  input,
  output,
  providerExecuted: true,
})

test('UI-9 a call that the provider executed is shown by its own name and as what it returned, whatever our tool of that name does', () => {
  for (const name of Object.keys(titles)) expect(toolTitle(hosted(name, {}, {}), titles)).toBe(name)
  const output = {
    text: 'only this',
    data: { exitCode: 2, running: true, sessionId: 's' },
    url: 'https://x.example',
  }
  expect(shownOutput(hosted('web_fetch', {}, output), output)).toContain('https://x.example')
  expect(failedExit(hosted('bash', {}, output))).toBeNull()
  expect(runsOn(hosted('bash', {}, output))).toBe(false)
  expect(subagentOf(hosted('task', {}, output))).toBeNull()
  expect(askedQuestions(hosted('question', { questions: [{ question: 'Which?' }] }, output))).toBeNull()
  const change = { data: { change: { path: 'a', diff: '+b', added: 1, removed: 0 } } }
  expect(changeOf(hosted('edit', {}, change))).toBeNull()
  expect(groupParts([hosted('todo', { todos: [] }, {})]).map(({ kind }) => kind)).toEqual(['tools'])
})
