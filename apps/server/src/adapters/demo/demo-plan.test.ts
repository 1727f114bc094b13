import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planDemo } from './demo-plan.ts'

const user = (text: string): LanguageModelV4Prompt[number] => ({
  role: 'user',
  content: [{ type: 'text', text }],
})
const assistant = (text: string): LanguageModelV4Prompt[number] => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
})
const todo: LanguageModelV4FunctionTool = { type: 'function', name: 'todo', inputSchema: {} }

function textOf(prompt: LanguageModelV4Prompt, tools: LanguageModelV4FunctionTool[] = []): string {
  const plan = planDemo({ prompt, tools })
  return plan.type === 'answer' ? plan.text : plan.type
}

test('MO-5 each wish has its plan', () => {
  const kinds = ['rate limit', 'fail', 'hello'].map((said) => planDemo({ prompt: [user(said)] }).type)
  expect(kinds).toEqual(['rate-limited', 'broken', 'answer'])
  expect(planDemo({ prompt: [user('slow')] })).toMatchObject({ pace: 'slow' })
  expect(planDemo({ prompt: [user('a long answer')] })).toMatchObject({ pace: 'fast' })
  expect(planDemo({ prompt: [user('think')] })).toMatchObject({ reasoning: expect.stringContaining('clock') })
})

test('MO-5 the last message decides, whatever was said before', () => {
  expect(textOf([user('fail'), assistant('…'), user('show me a table')])).toContain('| Clay tablet |')
})

test('MO-5 a diagram is a drawing in mermaid, and says that it is a fixed example', () => {
  const text = textOf([user('Draw a diagram')])
  expect(text).toContain('```mermaid')
  expect(text).toMatch(/^A fixed example/)
})

test('MO-5 the tour comes first and on request, and later answers differ', () => {
  const first = textOf([user('hello')])
  expect(first).toContain('## Ask me for')
  expect(textOf([user('hello'), assistant('…'), user('what can you do?')])).toContain('## Ask me for')
  expect(textOf([user('hello'), assistant('…'), user('nice')])).not.toContain('## Ask me for')
})

test('MO-5 a reply that was cut short continues where it ended', () => {
  const reminder = user('<reminder>Go on.</reminder>')
  const whole = textOf([user('slow')])
  const begun = whole.slice(0, 41)
  const rest = textOf([user('slow'), assistant(begun), reminder])
  expect(whole).toBe(`${begun}${whole.at(41) === ' ' ? ' ' : ''}${rest}`)
  expect(textOf([user('slow'), assistant(whole), reminder])).not.toBe('')
})

test('MO-5 the tour does not quote the message that asked for it', () => {
  expect(textOf([user('Show me what you can do.')])).not.toContain('quote')
  expect(textOf([user('Why is the sky blue?')])).toMatch(/^You wrote “Why is the sky blue\?” A real model/)
})

test('MO-5 an attachment is noticed', () => {
  const file = { type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: '' } }
  const prompt: LanguageModelV4Prompt = [{ role: 'user', content: [{ type: 'text', text: 'look' }, file] }]
  expect(textOf(prompt)).toContain('attached')
})

test('MO-5 a tool that has answered is followed up, even when its result speaks of something else', () => {
  const prompt: LanguageModelV4Prompt = [
    user('tools'),
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'todo', input: {} }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c', toolName: 'todo', output: { type: 'text', value: 'fail' } },
      ],
    },
  ]
  expect(planDemo({ prompt, tools: [todo] })).toMatchObject({ call: { toolName: 'todo' } })
})

test('MO-5 the same prompt always gets the same plan, and never an empty one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (said, withTools) => {
      const call = { prompt: [user(said)], tools: withTools ? [todo] : [] }
      const plan = planDemo(call)
      expect(planDemo(call)).toEqual(plan)
      if (plan.type === 'answer') expect(plan.text).not.toBe('')
    }),
  )
})
