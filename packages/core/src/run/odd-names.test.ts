import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isToolPart } from '../domain/message/message.ts'
import { defineTool } from '../tool/tool.ts'

/** A core whose agent has one tool, which answers with the words that it is given. */
function openEchoLab() {
  const echo = defineTool({
    id: 'echo',
    description: 'Repeats its words',
    input: z.object({ words: z.string() }),
    requires: () => [],
    execute: ({ words }) => Promise.resolve({ text: words }),
  })
  return openCoreLab({}, { agent: { tools: [echo] } })
}

test.for([
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'then',
  'a tool with blanks',
  '工具',
  'Echo',
  'echo ',
  'x'.repeat(300),
])('TO-1 a call of %j, which is no tool, is an error for the model and not for the run', async (name) => {
  await using lab = await openEchoLab()
  lab.provider.script(
    reply({ toolCalls: [{ name, input: { words: 'a' } }] }),
    reply({ text: 'I see' }),
    reply({ text: 'Again' }),
  )
  const { chunks, messages, sessionId } = await lab.turn('Go')
  expect(messages[1]).toEqual(await reduceBySdk(chunks))
  expect(messages[1]?.parts.filter(isToolPart)).toMatchObject([{ state: 'output-error' }])
  expect(messages[1]?.metadata?.finishReason).toBe('stop')
  const next = await lab.turn('And now?', sessionId)
  expect(next.messages.at(-1)?.metadata?.finishReason).toBe('stop')
})

test.for(['__proto__', 'constructor', 'toString', 'a b\n"c"', '\u{1f600}', 'x'.repeat(500)])(
  'RU-2 the call that a provider gives the id %j is executed and reported under it',
  async (id) => {
    await using lab = await openEchoLab()
    lab.provider.script(
      reply({ toolCalls: [{ id, name: 'echo', input: { words: 'heard' } }] }),
      reply({ text: 'Done' }),
    )
    const { chunks, messages } = await lab.turn('Go')
    expect(messages[1]).toEqual(await reduceBySdk(chunks))
    expect(messages[1]?.parts.filter(isToolPart)).toMatchObject([
      { toolCallId: id, state: 'output-available', output: { text: 'heard' } },
    ])
    const sent = lab.steps[1]?.body['messages']
    expect(Array.isArray(sent) && sent.at(-1)).toEqual({ role: 'tool', tool_call_id: id, content: 'heard' })
  },
)

test.for(['', 'call_0'])('RU-2 parallel calls that a provider all gives the id %j stay apart', async (id) => {
  await using lab = await openEchoLab()
  const heard = ['first', 'second', 'third']
  lab.provider.script(
    reply({ toolCalls: heard.map((words) => ({ id, name: 'echo', input: { words } })) }),
    reply({ text: 'Done' }),
  )
  const { chunks, messages } = await lab.turn('Go')
  expect(messages[1]).toEqual(await reduceBySdk(chunks))
  const calls = messages[1]?.parts.filter(isToolPart) ?? []
  expect(calls).toMatchObject(heard.map((text) => ({ input: { words: text }, output: { text } })))
  const ids = calls.map(({ toolCallId }) => toolCallId)
  expect(new Set(ids).size).toBe(3)
  const sent = lab.steps[1]?.body['messages']
  expect(Array.isArray(sent) && sent.slice(-3)).toEqual(
    heard.map((content, index) => ({ role: 'tool', tool_call_id: ids[index], content })),
  )
})

test('RU-2 calls of two steps under one id stay two calls, each with its own output', async () => {
  await using lab = await openEchoLab()
  const call = (words: string) => reply({ toolCalls: [{ id: 'call_0', name: 'echo', input: { words } }] })
  lab.provider.script(call('first'), call('second'), reply({ text: 'Done' }))
  const { chunks, messages } = await lab.turn('Go')
  expect(messages[1]).toEqual(await reduceBySdk(chunks))
  expect(messages[1]?.parts.filter(isToolPart)).toMatchObject([
    { input: { words: 'first' }, output: { text: 'first' } },
    { input: { words: 'second' }, output: { text: 'second' } },
  ])
  const sent = JSON.stringify(lab.steps[2]?.body['messages'])
  expect(sent.indexOf('"content":"first"')).toBeLessThan(sent.indexOf('"content":"second"'))
})

test.for(['{"__proto__":{"words":"a"},"words":"b"}', '{"words":"b","constructor":{"prototype":{}}}'])(
  'TO-1 arguments such as %s change no object but their own',
  async (input) => {
    await using lab = await openEchoLab()
    lab.provider.script(
      reply({ toolCalls: [{ name: 'echo', input: JSON.parse(input) }] }),
      reply({ text: 'Done' }),
    )
    const { messages } = await lab.turn('Go')
    expect(messages[1]?.metadata?.finishReason).toBe('stop')
    expect(messages[1]?.parts.filter(isToolPart)).toHaveLength(1)
    expect(Object.keys(Object.prototype)).toEqual([])
    expect({}).not.toHaveProperty('words')
  },
)

test.for([
  ['\ud800', '\ufffd'],
  ['a\udc00b', 'a\ufffdb'],
  ['a\u0000b', 'a\ufffdb'],
] as const)(
  'RU-2 the call that a provider gives the id %j, which cannot be stored, is executed under %j',
  async ([id, stored]) => {
    await using lab = await openEchoLab()
    lab.provider.script(
      reply({ toolCalls: [{ id, name: 'echo', input: { words: 'heard' } }] }),
      reply({ text: 'Done' }),
    )
    const { chunks, messages } = await lab.turn('Go')
    expect(messages[1]).toEqual(await reduceBySdk(chunks))
    expect(messages[1]?.parts.filter(isToolPart)).toMatchObject([
      { toolCallId: stored, output: { text: 'heard' } },
    ])
  },
)
