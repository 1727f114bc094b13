import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isToolPart } from '../domain/message/message.ts'
import { defineTool, ToolError } from '../tool/tool.ts'

const fail = defineTool({
  id: 'fail',
  description: 'Fails',
  input: z.object({}),
  requires: () => [],
  execute: () => Promise.reject(new ToolError('There is nothing there')),
})
/** A core whose agent has a tool that fails, and one that waits for a word given to `gate` of its name. */
async function openToolLab() {
  const gates = new Map<string, PromiseWithResolvers<string>>()
  function gate(name: string): PromiseWithResolvers<string> {
    const known = gates.get(name) ?? Promise.withResolvers<string>()
    gates.set(name, known)
    return known
  }
  const wait = defineTool({
    id: 'wait',
    description: 'Waits for a word',
    input: z.object({ name: z.string().min(1) }),
    requires: () => [],
    execute: async ({ name }) => ({ text: await gate(name).promise }),
  })
  return { lab: await openCoreLab({}, { agent: { tools: [wait, fail] } }), gate }
}

test.for([
  { name: 'a missing argument', input: {} },
  { name: 'a wrong argument', input: { name: '' } },
  { name: 'no object at all', input: 'just words' },
])('TO-1 a call with $name is an error for the model, and the run continues', async ({ input }) => {
  await using lab = (await openToolLab()).lab
  lab.provider.script(reply({ toolCalls: [{ name: 'wait', input }] }), reply({ text: 'I see' }))
  const { messages } = await lab.turn('Go')
  expect(messages[1]?.metadata?.finishReason).toBe('stop')
  expect(messages[1]?.parts[1]).toMatchObject({ state: 'output-error', toolCallId: 'call_0' })
  const sent = lab.steps[1]?.body['messages']
  const [call, result] = Array.isArray(sent) ? sent.slice(-2) : []
  expect(JSON.parse(call.tool_calls[0].function.arguments)).toBeTypeOf('object')
  expect(result).toMatchObject({ role: 'tool', tool_call_id: 'call_0' })
})

test('TO-1 the model gets the message of a tool that fails, and the run continues', async () => {
  await using lab = (await openToolLab()).lab
  lab.provider.script(reply({ toolCalls: [{ name: 'fail', input: {} }] }), reply({ text: 'I see' }))
  const { messages } = await lab.turn('Go')
  expect(messages[1]?.parts[1]).toMatchObject({ state: 'output-error', errorText: 'There is nothing there' })
  expect(JSON.stringify(lab.steps[1]?.body['messages'])).toContain('There is nothing there')
})

test('TO-1 a failed call says how long it took, as a finished one does', async () => {
  const { lab: opened, gate } = await openToolLab()
  await using lab = opened
  const toolCalls = [
    { name: 'wait', input: { name: 'a' } },
    { name: 'fail', input: {} },
  ]
  lab.provider.script(reply({ toolCalls }), reply({ text: 'I see' }))
  gate('a').resolve('out of a')
  const { messages, chunks } = await lab.turn('Go')
  const took = { duration_ms: expect.any(Number) }
  expect(chunks).toContainEqual(expect.objectContaining({ type: 'tool-output-error', toolMetadata: took }))
  expect(messages[1]?.parts.filter(isToolPart)).toMatchObject([
    { output: { metadata: took } },
    { state: 'output-error', toolMetadata: took },
  ])
})

test('US-1 usage and calls of a step are stored before a call is executed, and a stop during it keeps them', async () => {
  const { lab: opened, gate } = await openToolLab()
  await using lab = opened
  lab.provider.script(reply({ toolCalls: [{ name: 'wait', input: { name: 'a' } }] }))
  const { sessionId } = await lab.say('Go')
  await expect.poll(async () => (await lab.sessions.get(sessionId)).totalTokens).toBeGreaterThan(0)
  const during = await lab.sessions.messages({ sessionId })
  expect(during.items[1]?.parts[1]).toMatchObject({ state: 'input-available', input: { name: 'a' } })
  await lab.sessions.abort(sessionId)
  gate('a').resolve('too late')
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items[1]?.metadata).toMatchObject({ finishReason: 'aborted', usage: { steps: 1 } })
  expect(items[1]?.metadata?.usage).not.toHaveProperty('unknown')
})

test('TO-1 calls of an answer that was cut off are not made, and say so', async () => {
  const { lab: opened, gate } = await openToolLab()
  await using lab = opened
  gate('a').resolve('out of a')
  lab.provider.script(reply({ toolCalls: [{ name: 'wait', input: { name: 'a' } }], finishReason: 'length' }))
  const { messages } = await lab.turn('Go')
  expect(messages[1]?.metadata?.finishReason).toBe('length')
  expect(messages[1]?.parts[1]).toMatchObject({
    state: 'output-error',
    errorText: expect.stringContaining('not made'),
  })
})

test('TO-7 calls of one step run at once, and each output lands on its own call', async () => {
  const { lab: opened, gate } = await openToolLab()
  await using lab = opened
  const names = ['a', 'b', 'c']
  const toolCalls = names.map((name) => ({ name: 'wait', input: { name }, id: `call_${name}` }))
  lab.provider.script(reply({ toolCalls }), reply({ text: 'Done' }))
  const { sessionId, runId } = await lab.say('Go')
  const order: string[] = []
  const follows: Record<string, string> = { call_c: 'a', call_a: 'b' }
  for await (const chunks of lab.sessions.stream({ sessionId, runId })) {
    if (chunks.some(({ type }) => type === 'tool-input-available')) gate('c').resolve('out of c')
    for (const { toolCallId } of chunks.filter((chunk) => chunk.type === 'tool-output-available')) {
      order.push(toolCallId)
      const next = follows[toolCallId]
      if (next !== undefined) gate(next).resolve(`out of ${next}`)
    }
  }
  expect(order).toEqual(['call_c', 'call_a', 'call_b'])
  const { items } = await lab.sessions.messages({ sessionId })
  const outputs = items[1]?.parts.filter(isToolPart).map(({ toolCallId, output }) => ({ toolCallId, output }))
  expect(outputs).toMatchObject(
    names.map((name) => ({ toolCallId: `call_${name}`, output: { text: `out of ${name}` } })),
  )
})
