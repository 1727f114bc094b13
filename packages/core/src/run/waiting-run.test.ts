import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isToolPart } from '../domain/message/message.ts'
import { questionTool } from '../tool/question.ts'
import { defineTool } from '../tool/tool.ts'

const QUESTIONS = [{ question: 'Which way?', options: [{ label: 'Left' }, { label: 'Right' }] }]
const ASKS = { name: 'question', input: { questions: QUESTIONS }, id: 'call_q' }
const RUNS = { name: 'run', input: { command: 'ls' }, id: 'call_r' }

/** Tools that run commands, which is asked about, and look, which is not; `made` counts the calls that were executed. */
function createTools() {
  const made: string[] = []
  const run = defineTool({
    id: 'run',
    description: 'Runs a command',
    input: z.object({ command: z.string() }),
    requires: ({ command }) => [{ permission: 'command', pattern: command }],
    execute: ({ command }) => {
      made.push(command)
      return Promise.resolve({ text: `Ran ${command}` })
    },
  })
  const look = defineTool({
    id: 'look',
    description: 'Looks',
    input: z.object({}),
    requires: () => [{ permission: 'read', pattern: 'x' }],
    execute: () => {
      made.push('look')
      return Promise.resolve({ text: 'Seen' })
    },
  })
  return { tools: [run, look, questionTool], made }
}

type Tools = ReturnType<typeof createTools>

async function openLab({ tools }: Tools = createTools(), tables = createMemoryTables(), headless = false) {
  return await openCoreLab({ store: createMemoryStore(tables) }, { agent: { tools }, runs: { headless } })
}

const waits = async (lab: CoreLab, sessionId: string) =>
  await expect.poll(() => lab.sessions.status(sessionId)).toMatchObject({ state: 'waiting' })
const idle = async (lab: CoreLab, sessionId: string) =>
  await expect.poll(() => lab.sessions.status(sessionId)).toEqual({ state: 'idle' })

/** The newest reply of a session, and its calls. */
async function newest(lab: CoreLab, sessionId: string) {
  const { items } = await lab.sessions.messages({ sessionId })
  const message = items.at(-1)
  return { message, calls: message?.parts.filter(isToolPart) ?? [] }
}

async function pendingPermission(lab: CoreLab): Promise<string> {
  const [pending] = await lab.sessions.permissions.pending(null)
  return pending?.id ?? 'none'
}

test('TO-6 RU-9 a question suspends its run, which holds nothing, and the answer continues it in the same reply', async () => {
  await using lab = await openLab()
  lab.provider.script(reply({ text: 'Well', toolCalls: [ASKS] }), reply({ text: 'Right it is' }))
  const { sessionId, runId } = await lab.say('Go')
  const seen = lab.chunksOf(sessionId, runId)
  await waits(lab, sessionId)
  expect(await lab.sessions.status(sessionId)).toMatchObject({ runId, waitingOn: 'answer' })
  expect(lab.core.activeRuns).toBe(0)
  expect(await lab.ports.store.runs.orphans(Number.MAX_SAFE_INTEGER)).toEqual([])
  const [pending] = await lab.sessions.questions.pending(sessionId)
  expect(pending).toMatchObject({ sessionId, runId, toolCallId: 'call_q', questions: QUESTIONS })

  await lab.sessions.questions.answer(pending?.id ?? '', [['Right']])
  const chunks = await seen
  await idle(lab, sessionId)
  expect(chunks.filter(({ type }) => type === 'start' || type === 'finish' || type === 'abort')).toHaveLength(
    2,
  )
  const { message, calls } = await newest(lab, sessionId)
  expect(message).toMatchObject({ metadata: { runId, finishReason: 'stop', usage: { steps: 2 } } })
  expect(calls).toMatchObject([{ state: 'output-available', output: { data: { answers: [['Right']] } } }])
  expect(await reduceBySdk(chunks)).toEqual(message)
  expect(JSON.stringify(lab.steps[1]?.body['messages'])).toContain('Which way?\\nRight')
})

test('PE-2 a call that no rule allows is made after it was allowed once, and asked about again', async () => {
  const tools = createTools()
  await using lab = await openLab(tools)
  lab.provider.script(
    reply({ toolCalls: [RUNS, { name: 'look', input: {}, id: 'call_l' }] }),
    reply({ toolCalls: [RUNS] }),
  )
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  expect(tools.made).toEqual(['look'])
  expect(await lab.sessions.permissions.pending(sessionId)).toMatchObject([
    { tool: 'run', args: { command: 'ls' }, patterns: ['ls'], reason: expect.stringContaining('command ls') },
  ])
  expect((await newest(lab, sessionId)).calls).toMatchObject([
    { state: 'approval-requested', approval: { id: await pendingPermission(lab) } },
    { state: 'output-available' },
  ])
  const first = await pendingPermission(lab)
  await lab.sessions.permissions.reply({ permissionId: first, reply: 'once' })
  await expect.poll(async () => await pendingPermission(lab)).not.toBe(first)
  await waits(lab, sessionId)
  expect(tools.made).toEqual(['look', 'ls'])
  const again = lab.sessions.permissions.reply({ permissionId: first, reply: 'deny' })
  await expect(again).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('PE-2 a denied call is not made, and the model gets the reason', async () => {
  const tools = createTools()
  await using lab = await openLab(tools)
  lab.provider.script(reply({ toolCalls: [RUNS] }), reply({ text: 'Then not' }))
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  const permissionId = await pendingPermission(lab)
  await lab.sessions.permissions.reply({ permissionId, reply: 'deny', reason: 'Use the other folder' })
  await idle(lab, sessionId)
  expect(tools.made).toEqual([])
  expect((await newest(lab, sessionId)).calls).toMatchObject([
    { state: 'output-denied', approval: { approved: false, reason: 'Use the other folder' } },
  ])
  expect(JSON.stringify(lab.steps[1]?.body['messages'])).toContain('Use the other folder')
})

test('PE-2 one of many concurrent replies counts, and the call is made once', async () => {
  const tools = createTools()
  await using lab = await openLab(tools)
  lab.provider.script(reply({ toolCalls: [RUNS] }), reply({ text: 'Done' }))
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  const permissionId = await pendingPermission(lab)
  const replies = await Promise.allSettled(
    Array.from({ length: 8 }, () => lab.sessions.permissions.reply({ permissionId, reply: 'once' })),
  )
  expect(replies.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await idle(lab, sessionId)
  expect(tools.made).toEqual(['ls'])
})

test('RU-9 a run with several asks goes on with the last reply, whatever their order and moment', async () => {
  const tools = createTools()
  await using lab = await openLab(tools)
  const other = { name: 'run', input: { command: 'pwd' }, id: 'call_p' }
  lab.provider.script(reply({ toolCalls: [RUNS, ASKS, other] }), reply({ text: 'Done' }))
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  const [first, second] = await lab.sessions.permissions.pending(sessionId)
  const [question] = await lab.sessions.questions.pending(sessionId)
  await lab.sessions.permissions.reply({ permissionId: second?.id ?? '', reply: 'deny' })
  expect(tools.made).toEqual([])
  await Promise.all([
    lab.sessions.questions.answer(question?.id ?? '', [['Left']]),
    lab.sessions.permissions.reply({ permissionId: first?.id ?? '', reply: 'once' }),
  ])
  await idle(lab, sessionId)
  expect(tools.made).toEqual(['ls'])
  expect((await newest(lab, sessionId)).calls.map(({ state }) => state)).toEqual([
    'output-available',
    'output-available',
    'output-denied',
  ])
})

test('AB-4 a stop of a run that waits ends it and what it asked, and the next message is answered', async () => {
  const tools = createTools()
  await using lab = await openLab(tools)
  lab.provider.script(reply({ toolCalls: [RUNS] }), reply({ text: 'Hello' }))
  const { sessionId, runId } = await lab.say('Go')
  const seen = lab.chunksOf(sessionId, runId)
  await waits(lab, sessionId)
  const permissionId = await pendingPermission(lab)
  const resolved = lab.event((event) => event.type === 'permission-resolved')
  expect(await lab.sessions.abort(sessionId, 'run_other')).toEqual({ aborted: false })
  expect(await lab.sessions.abort(sessionId, runId)).toEqual({ aborted: true })
  expect(await lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
  expect(await resolved).toMatchObject({ permissionId, reply: 'cancelled' })
  expect((await seen).at(-1)).toMatchObject({ type: 'abort' })
  const { message, calls } = await newest(lab, sessionId)
  expect(message?.metadata?.finishReason).toBe('aborted')
  expect(calls).toMatchObject([{ state: 'output-denied', approval: { approved: false } }])
  const late = lab.sessions.permissions.reply({ permissionId, reply: 'once' })
  await expect(late).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await lab.turn('Hi', sessionId)).messages.at(-1)?.metadata?.finishReason).toBe('stop')
  expect(tools.made).toEqual([])
  expect(JSON.stringify(lab.steps[1]?.body['messages'])).toContain('stopped before it ran')
})

test('QU-2 messages that are sent while a run waits are queued, and fire when it has ended', async () => {
  await using lab = await openLab()
  lab.provider.script(reply({ toolCalls: [ASKS] }), reply({ text: 'Done' }), reply({ text: 'And this' }))
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  expect((await lab.say('Next', sessionId)).queued).toBe(true)
  await expect(lab.sessions.continue(sessionId)).rejects.toMatchObject({ code: 'SESSION_BUSY' })
  await expect(lab.sessions.history.rewind({ sessionId, messageId: 'x' })).rejects.toThrow()
  expect(await lab.sessions.queue.list(sessionId)).toHaveLength(1)
  const [question] = await lab.sessions.questions.pending(null)
  await lab.sessions.questions.answer(question?.id ?? '', [[]])
  await expect.poll(async () => (await lab.sessions.messages({ sessionId })).items).toHaveLength(4)
})

test('PE-3 RU-9 what was asked survives a restart, and the reply continues the run on the new host', async () => {
  const tables = createMemoryTables()
  const tools = createTools()
  const before = await openLab(tools, tables)
  before.provider.script(reply({ text: 'Well', toolCalls: [RUNS] }))
  const { sessionId, runId } = await before.say('Go')
  await waits(before, sessionId)
  await before[Symbol.asyncDispose]()

  await using lab = await openLab(tools, tables)
  expect(await lab.core.recover()).toBe(0)
  await lab.core.continueQueues()
  expect(await lab.sessions.status(sessionId)).toMatchObject({
    state: 'waiting',
    runId,
    waitingOn: 'approval',
  })
  expect(await lab.sessions.get(sessionId)).toMatchObject({ activeRun: { runId } })
  lab.provider.script(reply({ text: 'Done' }))
  const seen = lab.chunksOf(sessionId, runId)
  await lab.sessions.permissions.reply({ permissionId: await pendingPermission(lab), reply: 'once' })
  const chunks = await seen
  await idle(lab, sessionId)
  expect(tools.made).toEqual(['ls'])
  const { message } = await newest(lab, sessionId)
  expect(message).toMatchObject({ metadata: { runId, finishReason: 'stop', usage: { steps: 2 } } })
  expect(await reduceBySdk(chunks)).toEqual(message)
})

test('RU-9 a run whose last reply came while no host could go on is continued by the next one', async () => {
  const tables = createMemoryTables()
  const tools = createTools()
  const before = await openLab(tools, tables)
  before.provider.script(reply({ toolCalls: [RUNS] }))
  const { sessionId } = await before.say('Go')
  await waits(before, sessionId)
  const permissionId = await pendingPermission(before)
  await before[Symbol.asyncDispose]()
  await createMemoryStore(tables).asks.reply(permissionId, { type: 'approved', scope: 'once' }, 9_000)

  await using lab = await openLab(tools, tables)
  lab.provider.script(reply({ text: 'Done' }))
  await lab.core.recover()
  await lab.core.continueQueues()
  await idle(lab, sessionId)
  expect(tools.made).toEqual(['ls'])
})

test('PE-3 a session that is deleted while its run waits is gone with what it asked', async () => {
  await using lab = await openLab()
  lab.provider.script(reply({ toolCalls: [ASKS] }))
  const { sessionId, runId } = await lab.say('Go')
  const seen = lab.chunksOf(sessionId, runId)
  await waits(lab, sessionId)
  await lab.sessions.delete(sessionId)
  await seen
  expect(await lab.sessions.questions.pending(null)).toEqual([])
  await expect(lab.sessions.status(sessionId)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
})

test.for([ASKS, RUNS])(
  'PE-3 TO-6 a host where nobody can be asked refuses $name, and the run goes on',
  async (call) => {
    const tools = createTools()
    await using lab = await openLab(tools, createMemoryTables(), true)
    lab.provider.script(reply({ toolCalls: [call] }), reply({ text: 'Then not' }))
    const { messages } = await lab.turn('Go')
    expect(messages[1]?.metadata?.finishReason).toBe('stop')
    expect(messages[1]?.parts.filter(isToolPart)).toMatchObject([{ state: 'output-error' }])
    expect(tools.made).toEqual([])
  },
)

test.for([
  { answers: [], field: 'answers' },
  { answers: [['Left'], ['Right']], field: 'answers' },
  { answers: [['Left', 'Right']], field: 'answers.0' },
  { answers: [['x'.repeat(4_001)]], field: 'answers.0' },
])(
  'TO-6 answers that do not fit the questions are refused by $field, and the question stays open',
  async ({ answers, field }) => {
    await using lab = await openLab()
    lab.provider.script(reply({ toolCalls: [ASKS] }))
    const { sessionId } = await lab.say('Go')
    await waits(lab, sessionId)
    const [question] = await lab.sessions.questions.pending(sessionId)
    const answered = lab.sessions.questions.answer(question?.id ?? '', answers)
    await expect(answered).rejects.toMatchObject({ code: 'INVALID_INPUT', field })
    expect(await lab.sessions.questions.pending(sessionId)).toHaveLength(1)
    const wrongKind = lab.sessions.permissions.reply({ permissionId: question?.id ?? '', reply: 'once' })
    await expect(wrongKind).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'permissionId' })
  },
)

test('RV-2 a host killed while a run asks and works leaves it waiting: what was asked about was not run, the rest may have', async () => {
  const tables = createMemoryTables()
  const tools = createTools()
  const hangs = defineTool({
    id: 'hang',
    description: 'Hangs',
    input: z.object({}),
    requires: () => [],
    execute: () => new Promise(() => undefined),
  })
  const all = { ...tools, tools: [...tools.tools, hangs] }
  await using killed = await openLab(all, tables)
  killed.provider.script(reply({ toolCalls: [RUNS, { name: 'hang', input: {}, id: 'call_h' }] }))
  const { sessionId, runId } = await killed.say('Go')
  await expect.poll(async () => await killed.sessions.permissions.pending(null)).toHaveLength(1)

  await using lab = await openLab(all, tables)
  lab.provider.script(reply({ text: 'Done' }))
  await lab.core.recover()
  expect(await lab.sessions.status(sessionId)).toMatchObject({ state: 'waiting', runId })
  expect((await newest(lab, sessionId)).calls).toMatchObject([
    { state: 'approval-requested' },
    { state: 'output-error', errorText: expect.stringContaining('may have run') },
  ])
  await lab.sessions.permissions.reply({ permissionId: await pendingPermission(lab), reply: 'once' })
  await idle(lab, sessionId)
  expect(tools.made).toEqual(['ls'])
  expect((await newest(lab, sessionId)).message?.metadata?.finishReason).toBe('stop')
})
