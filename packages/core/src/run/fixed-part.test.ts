import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import type { ChatPart } from '../domain/message/message.ts'
import type { SessionEvent } from '../domain/session/event.ts'
import { createAgents } from '../session/agents.ts'
import { toAiTools } from '../tool/ai-tools.ts'
import { createToolCatalogue } from '../tool/mcp/tool-catalogue.ts'
import { TASK_TOOL } from '../tool/task.ts'
import type { ToolFacts } from '../tool/tool.ts'

const OWN =
  createAgents({}, { runsCommands: true, readsWeb: true, searchesWeb: true }).get('assistant')?.tools ?? []

/** Bytes of a token, as the rule counts them. */
const BYTES = 4
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

const NOTHING: ToolFacts = { parts: [], hasCommands: false, hasMemories: false }
const call = (tool: string, input: object): ChatPart => ({
  type: `tool-${tool}`,
  toolCallId: 'call_1',
  state: 'input-available',
  input,
})

/** The ids that a catalogue of the own tools offers, fact after fact. */
function offeredIn(...facts: Partial<ToolFacts>[]): string[][] {
  const { offered } = createToolCatalogue(OWN, [])
  return facts.map((fact) => offered({ ...NOTHING, ...fact }).map(({ id }) => id))
}

test('SY-7 the fixed part of a request takes at most 3,000 tokens with all built-in tools', async () => {
  const always = OWN.map(({ canAct: _, ...tool }) => tool)
  await using lab = await openCoreLab({}, { agent: { tools: always } })
  await lab.turn('hello')
  const { tools, messages } = lab.steps[0]?.body ?? {}
  expect(tools).toHaveLength(19)
  expect((bytesOf(tools) + bytesOf(messages)) / BYTES).toBeLessThanOrEqual(3_000)
})

test('UI-14 the window holds the instructions before the first reply has come', async () => {
  await using lab = await openCoreLab()
  await lab.sessions.settings.set({ instructions: 'Answer in Latin. '.repeat(700) })
  const gate = Promise.withResolvers<void>()
  lab.provider.script(reply({ text: ['Sal', 've'], hold: { before: 0, until: gate.promise } }))
  const instructed = lab.event(
    (event): event is SessionEvent & { type: 'usage' } =>
      event.type === 'usage' && event.contextWindow.used > 2_500,
  )
  const { sessionId, runId } = await lab.say('Hello')
  const { contextWindow } = await instructed
  const { content } = { content: await lab.sessions.content(sessionId) }
  const sum = Object.values(content).reduce((all, tokens) => all + tokens, 0)
  expect([contextWindow.estimated, sum]).toEqual([true, contextWindow.used])
  gate.resolve()
  await lab.chunksOf(sessionId, runId)
})

test('SY-7 each tool is described once in a request, in its definition', async () => {
  await using lab = await openCoreLab({}, { agent: { tools: OWN } })
  await lab.turn('hello')
  const body = JSON.stringify(lab.steps[0]?.body)
  for (const { id, description } of OWN.filter((tool) => tool.canAct === undefined && tool.id !== TASK_TOOL))
    expect(body.split(JSON.stringify(description).slice(1, -1)), id).toHaveLength(2)
})

test('SY-7 a definition holds no bound, and arguments beyond one are refused all the same', async () => {
  const tools = toAiTools(OWN)
  for (const [id, { inputSchema }] of Object.entries(tools)) {
    const schema = 'jsonSchema' in inputSchema ? await inputSchema.jsonSchema : null
    expect(JSON.stringify(schema), id).not.toMatch(
      /"(?:\$schema|m(?:ax|in)(?:Items|Length|imum)|additionalProperties|format":")/,
    )
  }
  const read = tools['read']?.inputSchema
  const validate = read !== undefined && 'validate' in read ? read.validate : undefined
  expect(await validate?.({ path: 'a', offset: 0 })).toMatchObject({ success: true })
  expect(await validate?.({ path: 'a', offset: -1 })).toMatchObject({ success: false })
  expect(await validate?.({ path: 'x'.repeat(4_097) })).toMatchObject({ success: false })
})

test.for([
  ['bash_output', { parts: [call('bash', { command: 'x', background: true })] }],
  ['bash_stop', { hasCommands: true }],
  ['recall', { parts: [{ type: 'data-compaction', data: { summary: 'x' } }] }],
  ['memory_read', { hasMemories: true }],
  ['memory_list', { parts: [call('memory_write', { name: 'x' })] }],
  ['memory_delete', { hasMemories: true }],
] as const)('SY-7 %s is offered once it can act, and then stays', ([id, fact]) => {
  const [before = [], during = [], after = []] = offeredIn({}, { ...fact }, {})
  expect(before).not.toContain(id)
  expect(during).toContain(id)
  expect(after).toEqual(during)
})

test.for([
  call('bash', { command: 'x', background: false }),
  call('bash', { command: 'x' }),
  call('read', { background: true }),
  { type: 'tool-bash', toolCallId: 'call_1', state: 'input-available', input: 'background' },
  { type: 'text', text: 'background' },
] as const)('SY-7 %j brings no tool', (part) => {
  const [before, after] = offeredIn({}, { parts: [part as ChatPart] })
  expect(after).toEqual(before)
})

test('SY-7 a tool that came in a chat is offered in its later turns, and named by their prompts', async () => {
  const input = { scope: 'user', name: 'n', description: 'd', body: 'b' }
  const rules = [{ permission: '*', pattern: '*', action: 'allow', source: 'manifest' }] as const
  await using lab = await openCoreLab({}, { agent: { tools: OWN, rules } })
  const remembers = reply({ toolCalls: [{ name: 'memory_write', input }] })
  lab.provider.script(remembers, reply({ text: 'Done' }), reply({ text: 'Again' }))
  const { sessionId } = await lab.turn('Remember')
  await lab.turn('More', sessionId)
  const offered = lab.steps.map(({ body }) => JSON.stringify(body['tools']).includes('"memory_read"'))
  expect(offered).toEqual([false, true, true])
  const named = lab.steps.map(({ body }) => JSON.stringify(body['messages']).includes('memory_read, '))
  expect(named).toEqual([false, false, true])
})
