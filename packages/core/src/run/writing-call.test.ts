import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { openSubagentLab, task } from '@palimpsest/testing/subagent-lab.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isToolPart } from '../domain/message/message.ts'
import type { Requirement } from '../domain/permission/permission.ts'
import { createTaskTool } from '../tool/task.ts'
import { defineTool, PermissionNeeded, type ToolRuntime } from '../tool/tool.ts'

const CALL = { name: 'look', input: { line: 'uniq a b' }, id: 'call_l' }
const WRITES: Requirement = { permission: 'command', pattern: 'uniq a b', reason: 'This command writes.' }

/** A tool whose line is judged to read, and which writes; `made` has what each execution was permitted. */
function createTool(always = false) {
  const made: ToolRuntime['permitted'][] = []
  const look = defineTool({
    id: 'look',
    description: 'Looks',
    input: z.object({ line: z.string() }),
    requires: ({ line }) => [{ permission: 'command', pattern: line, readOnly: true }],
    widerPatterns: () => ['uniq *'],
    execute(_, { permitted, progress }) {
      made.push(permitted)
      progress({ text: 'so far' })
      if (permitted === 'reading' || always) throw new PermissionNeeded([WRITES])
      return Promise.resolve({ text: 'Written' })
    },
  })
  return { look, made }
}

type Lab = {
  tool?: ReturnType<typeof createTool>
  tables?: ReturnType<typeof createMemoryTables>
  headless?: boolean
}

async function openLab({ tool = createTool(), tables = createMemoryTables(), headless = false }: Lab = {}) {
  const lab = await openCoreLab(
    { store: createMemoryStore(tables) },
    { agent: { tools: [tool.look] }, runs: { headless } },
  )
  lab.provider.script(reply({ toolCalls: [CALL] }), reply({ text: 'Done' }))
  return lab
}

const waits = (lab: CoreLab, sessionId: string) =>
  expect.poll(() => lab.sessions.status(sessionId)).toMatchObject({ state: 'waiting' })
const idle = (lab: CoreLab, sessionId: string) =>
  expect.poll(() => lab.sessions.status(sessionId)).toEqual({ state: 'idle' })

async function lastMessage(lab: CoreLab, sessionId: string) {
  const { items } = await lab.sessions.messages({ sessionId })
  return items.at(-1)
}

async function callOf(lab: CoreLab, sessionId: string) {
  return (await lastMessage(lab, sessionId))?.parts.find(isToolPart)
}

async function replyToAsk(
  lab: CoreLab,
  how: { reply: 'once' | 'deny' } | { reply: 'session'; pattern: string },
) {
  const [asked] = await lab.sessions.permissions.pending(null)
  await lab.sessions.permissions.reply({ permissionId: asked?.id ?? '', ...how })
}

test('PE-7 a call that was judged to read and writes is asked about once, and carried out once it is allowed', async () => {
  const tool = createTool()
  await using lab = await openLab({ tool })
  const { sessionId, runId } = await lab.say('Go')
  const seen = lab.chunksOf(sessionId, runId)
  await waits(lab, sessionId)
  expect(tool.made).toEqual(['reading'])
  expect(await lab.sessions.permissions.pending(sessionId)).toMatchObject([
    { tool: 'look', reason: 'This command writes.', patterns: ['uniq a b'], toolCallId: 'call_l' },
  ])
  expect(await callOf(lab, sessionId)).toMatchObject({ state: 'approval-requested' })
  await replyToAsk(lab, { reply: 'once' })
  await idle(lab, sessionId)
  expect(tool.made).toEqual(['reading', 'all'])
  const message = await lastMessage(lab, sessionId)
  expect(message?.parts.find(isToolPart)).toMatchObject({
    state: 'output-available',
    output: { text: 'Written' },
    approval: { approved: true },
  })
  expect(await reduceBySdk(await seen)).toEqual(message)
})

test('PE-7 a call that writes and is denied is not made, and the model gets the denial', async () => {
  const tool = createTool()
  await using lab = await openLab({ tool })
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  await replyToAsk(lab, { reply: 'deny' })
  await idle(lab, sessionId)
  expect(tool.made).toEqual(['reading'])
  expect(await callOf(lab, sessionId)).toMatchObject({
    state: 'output-denied',
    approval: { approved: false },
  })
})

test('PE-7 once its line is allowed lastingly, a call runs at once as one that may write', async () => {
  const tool = createTool()
  await using lab = await openLab({ tool })
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  await replyToAsk(lab, { reply: 'session', pattern: 'uniq a b' })
  await idle(lab, sessionId)
  lab.provider.script(reply({ toolCalls: [CALL] }), reply({ text: 'Done' }))
  await lab.turn('Again', sessionId)
  expect(tool.made).toEqual(['reading', 'all', 'all'])
})

test('PE-7 in full access a call is not confined to reading, and nothing is asked', async () => {
  const tool = createTool()
  await using lab = await openLab({ tool })
  const { id } = await lab.sessions.create({})
  await lab.sessions.permissions.setMode(id, 'full-access')
  await lab.turn('Go', id)
  expect(tool.made).toEqual(['all'])
})

test('PE-7 PE-6 in plan mode a call that writes is denied without an ask', async () => {
  const tool = createTool()
  await using lab = await openLab({ tool })
  const { id } = await lab.sessions.create({})
  await lab.sessions.permissions.setMode(id, 'plan')
  const { messages } = await lab.turn('Go', id)
  expect(tool.made).toEqual(['reading'])
  expect(messages.at(-1)?.parts.find(isToolPart)).toMatchObject({
    state: 'output-denied',
    approval: { reason: expect.stringContaining('Plan mode') },
  })
})

test('PE-7 where nobody can be asked a call that writes is refused, and the run goes on', async () => {
  const tool = createTool()
  await using lab = await openLab({ tool, headless: true })
  const { messages } = await lab.turn('Go')
  expect(tool.made).toEqual(['reading'])
  const message = messages.at(-1)
  expect(message?.parts.find(isToolPart)).toMatchObject({
    state: 'output-error',
    errorText: expect.stringContaining('Nobody can be asked'),
  })
  expect(message?.metadata?.finishReason).toBe('stop')
})

test('PE-7 the ask about a call that writes survives a restart', async () => {
  const tables = createMemoryTables()
  const tool = createTool()
  const before = await openLab({ tool, tables })
  const { sessionId } = await before.say('Go')
  await waits(before, sessionId)
  await before[Symbol.asyncDispose]()
  await using lab = await openCoreLab({ store: createMemoryStore(tables) }, { agent: { tools: [tool.look] } })
  await lab.core.recover()
  await lab.core.continueQueues()
  lab.provider.script(reply({ text: 'Done' }))
  await replyToAsk(lab, { reply: 'once' })
  await idle(lab, sessionId)
  expect(tool.made).toEqual(['reading', 'all'])
  expect(await callOf(lab, sessionId)).toMatchObject({ state: 'output-available' })
})

test('PE-7 SA-1 what a subagent’s call writes is asked at its root, and carried out once it is allowed', async () => {
  const { look, made } = createTool()
  const plans = {
    Go: [{ toolCalls: [task('Work')] }, { text: 'Done' }],
    Work: [{ toolCalls: [CALL] }, { text: 'Worked' }],
  }
  const tools = [look, createTaskTool([{ id: 'general', description: 'general' }])]
  await using lab = await openSubagentLab(plans, createMemoryTables(), [], {}, { agent: { tools } })
  const { sessionId } = await lab.say('Go')
  await expect.poll(() => lab.sessions.permissions.pending(sessionId)).toHaveLength(1)
  expect(await lab.sessions.permissions.pending(sessionId)).toMatchObject([
    { tool: 'look', reason: 'This command writes.', subagent: 'general', rootSessionId: sessionId },
  ])
  await waits(lab, sessionId)
  await replyToAsk(lab, { reply: 'once' })
  await idle(lab, sessionId)
  expect(made).toEqual(['reading', 'all'])
})

test('PE-7 a tool that asks again for what it was allowed fails', async () => {
  const tool = createTool(true)
  await using lab = await openLab({ tool })
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  await replyToAsk(lab, { reply: 'once' })
  await idle(lab, sessionId)
  expect(tool.made).toEqual(['reading', 'all'])
  expect(await callOf(lab, sessionId)).toMatchObject({ state: 'output-error', errorText: 'look failed.' })
})
