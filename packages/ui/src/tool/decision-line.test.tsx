// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AssistantMessage } from '../message/assistant-message.tsx'
import { sampleMessage, toolCall } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { askedQuestions } from './question-part.ts'
import { ToolCall } from './tool-call.tsx'
import { ToolGroup } from './tool-group.tsx'
import type { ToolPart } from './tool-part.ts'

const base = { type: 'dynamic-tool', toolName: 'run', toolCallId: 'c1', input: { command: 'ls' } } as const
const waiting: ToolPart = { ...base, state: 'approval-requested', approval: { id: 'a' } }
const input = { questions: [{ question: 'Which way?' }, { question: 'With what?' }] }
const output = { text: 'Which way?\nLeft', data: { answers: [['Left'], ['Bread', 'Salt']] } }

test.each([
  [
    'Denied: A rule denies this.',
    {
      state: 'output-denied',
      approval: { id: 'a', approved: false, isAutomatic: true, reason: 'A rule denies this.' },
    },
  ],
  ['Denied: Not now', { state: 'output-denied', approval: { id: 'a', approved: false, reason: 'Not now' } }],
] as const)('UI-9 a refusal is in view with its reason: %s', (decision, state) => {
  using page = show(<ToolCall part={{ ...base, ...state }} live={false} />)
  expect(page.getByText(decision)).toBeTruthy()
})

test.each([
  ['Allowed once', {}],
  ['Allowed in this chat: edit src/*', { reason: 'session: edit src/*' }],
  ['Allowed by the mode: Edit', { isAutomatic: true, reason: 'mode: accept-edits' }],
] as const)('UI-9 what allowed a call is in the opened call only: %s', (words, how) => {
  const approval = { id: 'a', approved: true, ...how } as const
  using page = show(
    <ToolCall part={{ ...base, state: 'output-available', output: 'a', approval }} live={false} />,
  )
  expect(page.queryByText(/^Allowed/)).toBeNull()
  fireEvent.click(page.getByRole('button'))
  expect(page.getByText(words)).toBeTruthy()
})

test('UI-9 refused calls of a folded group are named with their reasons, in which code is code', () => {
  const denied: ToolPart = {
    ...base,
    toolName: 'bash',
    toolCallId: 'denied',
    input: { command: 'rm -r notes' },
    state: 'output-denied',
    approval: { id: 'a', approved: false, reason: 'A rule denies `rm`.' },
  }
  const calls = [toolCall('read', { path: 'a' }, 'ok'), denied].map((part, index) => ({ index, part }))
  using page = show(<ToolGroup calls={calls} live={false} durationsMs={{}} modelViews={{}} />)
  expect(page.getByText('rm -r notes').closest('p')?.textContent).toBe('Run rm -r notes · A rule denies rm.')
  expect(page.getByText('rm').tagName).toBe('CODE')
  fireEvent.click(page.getByRole('button'))
  expect(page.getAllByText('rm')).toHaveLength(1)
})

test('UI-9 a call that a rule allowed names the rule once it is opened', () => {
  const approval = { id: 'a', approved: true, isAutomatic: true, reason: 'manifest: read *' } as const
  using page = show(
    <ToolCall part={{ ...base, state: 'output-available', output: 'a', approval }} live={false} />,
  )
  expect(page.queryByText(/^Allowed/)).toBeNull()
  fireEvent.click(page.getByRole('button'))
  expect(page.getByText('Allowed by the agent’s rule: read *')).toBeTruthy()
})

test('UI-9 a call that changed a file shows how many lines, and opens to the difference', async () => {
  const change = { path: 'src/a.ts', diff: '--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n', added: 1, removed: 1 }
  const edited = toolCall('edit', { path: 'src/a.ts', edits: [] }, { text: 'Changed', data: { change } })
  using page = show(<ToolCall part={edited} live={false} />)
  expect(page.getByRole('button').textContent).toBe('Editedsrc/a.ts+1 −1Done')
  fireEvent.click(page.getByRole('button'))
  const view = await page.findByRole('region', { name: 'Changes of src/a.ts' })
  expect(view.querySelector('pre')?.textContent).toBe('−one+two')
  expect(page.queryByText('Arguments')).toBeNull()
})

test('UI-9 a question waits for the person, and shows questions and answers as text', () => {
  using page = show(<ToolCall part={toolCall('question', input)} live />)
  expect(page.getByRole('button').textContent).toBe('Ask youWhich way?Waiting for you')
  page.rerender(<ToolCall part={toolCall('question', input, output)} live={false} />)
  expect(page.getByText('Answered: Left · Bread, Salt')).toBeTruthy()
  fireEvent.click(page.getByRole('button'))
  const texts = [...page.container.querySelectorAll('dt, dd')].map(({ textContent }) => textContent)
  expect(texts).toEqual(['Which way?', 'Left', 'With what?', 'Bread\nSalt'])
  expect(page.container.textContent).not.toContain('{')
})

test('UI-9 calls of which one waits show no spinner, and say that they wait', () => {
  const done = toolCall('read', { path: 'a' }, 'ok')
  const calls = [done, waiting].map((part, index) => ({ index, part }))
  using page = show(<ToolGroup calls={calls} live durationsMs={{}} modelViews={{}} />)
  const head = page.getByRole('button', { name: /^Read 1 file/ })
  expect(head.textContent).toBe('Read 1 fileWaiting for you')
  expect(head.getAttribute('aria-expanded')).toBe('true')
  expect(page.container.querySelector('.spin')).toBeNull()
})

test('UI-9 a reply that waits for the person does not look as if the model were thinking', () => {
  const parts = [toolCall('question', input), toolCall('todo', { items: [{ text: 'One' }] }, 'ok')]
  using page = show(
    <AssistantMessage
      message={sampleMessage('m', 'assistant', parts)}
      streaming
      last
      models={[]}
      actions={{}}
    />,
  )
  expect(page.queryByText('Thinking')).toBeNull()
})

test('UI-9 whatever a call of the question tool holds, its questions can be read', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (given, returned) => {
      for (const questions of [given, [given], [{ question: 'Q' }]]) {
        const part = toolCall('question', { questions }, { data: { answers: returned } })
        for (const { question } of askedQuestions(part) ?? []) expect(typeof question).toBe('string')
      }
    }),
  )
})
