import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { LAB_MODEL } from '@palimpsest/testing/lab-models.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { withRuns } from '@palimpsest/testing/with-runs.ts'
import { expect, test } from 'vitest'
import { AppError } from '../domain/errors.ts'
import type { ChatPart } from '../domain/message/message.ts'
import type { PartWrite, Store } from '../ports/index.ts'
import { HOST_RESTARTED } from './recovery.ts'

const SESSION = 'ses_dead'
const todo = { name: 'todo', input: { todos: [{ content: 'Look', status: 'completed' }] } }

/** A store in which an earlier host died in the middle of a run whose reply had come to these parts. */
async function deadHost(parts: ChatPart[]): Promise<{ store: Store }> {
  const tables = createMemoryTables()
  const dead = await createMemoryStore(tables)
  const base = { agent: 'assistant', workspaceRoot: null, parentId: null, parentMessageId: null }
  await dead.sessions.create({ ...base, id: SESSION, title: 'Old', model: LAB_MODEL, metadata: {}, at: 1 })
  const lease = { runId: 'run_dead', sessionId: SESSION, startedAt: 2, epoch: 1 }
  const metadata = { schemaVersion: 1 as const, createdAt: 2, runId: lease.runId, model: LAB_MODEL }
  const question: ChatPart = { type: 'text', text: 'Go' }
  const message = { id: 'msg_user', sessionId: SESSION, role: 'user' as const, metadata, parts: [question] }
  await dead.runs.begin(lease, { type: 'message', message, change: null })
  const writes = parts.map((data, index): PartWrite => ({ id: `prt_${index}`, index, data }))
  const log = { runId: lease.runId, epoch: 1, chunks: [], open: { text: {}, reasoning: {} } }
  const at = { log, createdAt: 3, at: 3 }
  if (parts.length > 0)
    await dead.runs.record({ sessionId: SESSION, messageId: 'msg_reply', metadata, parts: writes, ...at })
  return { store: await createMemoryStore(tables) }
}

test('LS-8 RV-2 a run that died before its first chunk ends with one terminal record in its log', async () => {
  const { store } = await deadHost([])
  await using lab = await openCoreLab({ store })
  expect(await lab.core.recover()).toBe(1)
  const log = await store.runs.log('run_dead')
  expect(log.flatMap(({ chunks }) => chunks)).toMatchObject([{ type: 'error' }])
  expect(await lab.core.recover()).toBe(0)
})

const open: ChatPart[] = [
  { type: 'step-start' },
  { type: 'reasoning', text: 'Hm', state: 'streaming' },
  { type: 'text', text: 'Half a sen', state: 'streaming' },
  { type: 'tool-read', toolCallId: 'a', state: 'input-streaming', rawInput: '{"pa', input: undefined },
  { type: 'tool-read', toolCallId: 'b', state: 'input-available', input: { path: 'x' } },
  {
    type: 'tool-read',
    toolCallId: 'c',
    state: 'approval-responded',
    input: {},
    approval: { id: 'p', approved: true },
  },
  { type: 'tool-read', toolCallId: 'd', state: 'output-available', input: {}, output: { text: 'Found' } },
  {
    type: 'tool-read',
    toolCallId: 'e',
    state: 'output-available',
    input: {},
    output: { text: '2 of 3' },
    preliminary: true,
  },
]

test('RV-2 the open parts of a dead run are closed, no text is lost, and no tool runs again', async () => {
  await using lab = await openCoreLab(await deadHost(open))
  expect(await lab.core.recover()).toBe(1)
  const { items } = await lab.sessions.messages({ sessionId: SESSION })
  expect(items[1]?.metadata).toMatchObject({ finishReason: 'interrupted', usage: { unknown: true } })
  expect(items[1]?.parts).toMatchObject([
    { type: 'step-start' },
    { text: 'Hm', state: 'done' },
    { text: 'Half a sen', state: 'done' },
    { toolCallId: 'a', state: 'output-error', errorText: HOST_RESTARTED },
    { toolCallId: 'b', state: 'output-error', errorText: HOST_RESTARTED, input: { path: 'x' } },
    { toolCallId: 'c', state: 'output-error', errorText: HOST_RESTARTED },
    { toolCallId: 'd', state: 'output-available', output: { text: 'Found' } },
    {
      toolCallId: 'e',
      state: 'output-error',
      errorText: `${HOST_RESTARTED}. The end of its output so far:\n2 of 3`,
    },
  ])
  expect(await lab.sessions.status(SESSION)).toEqual({ state: 'idle' })
  expect(lab.provider.requests).toEqual([])
  expect(await lab.core.recover()).toBe(0)
})

test('RV-2 the turn after a dead run is answered, its calls lowered as failed', async () => {
  await using lab = await openCoreLab(await deadHost(open))
  await lab.core.recover()
  lab.provider.script(reply({ text: 'Here I am' }))
  const { messages } = await lab.turn('Again', SESSION)
  expect(messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'Here I am' })
  const sent = lab.steps[0]?.body['messages']
  const results = Array.isArray(sent) ? sent.filter(({ role }) => role === 'tool') : []
  expect(results).toHaveLength(5)
})

test('RV-1 a run that died before its first word leaves a session that works, without any repair', async () => {
  await using lab = await openCoreLab(await deadHost([]))
  await lab.core.recover()
  lab.provider.script(reply({ text: 'Here I am' }))
  const { messages } = await lab.turn('Again', SESSION)
  expect(messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant'])
})

test('RV-2 a dead run that was not recovered is closed by the next start on its session', async () => {
  await using lab = await openCoreLab(await deadHost(open))
  lab.provider.script(reply({ text: 'Here I am' }))
  const { messages } = await lab.turn('Again', SESSION)
  expect(messages[1]?.metadata?.finishReason).toBe('interrupted')
  expect(messages.at(-1)?.metadata?.finishReason).toBe('stop')
})

test('RV-5 a dead run is continued from its last step, and its finished calls are not repeated', async () => {
  const parts: ChatPart[] = [
    { type: 'step-start' },
    { type: 'text', text: 'Let me look.', state: 'done' },
    {
      type: 'tool-read',
      toolCallId: 'd',
      state: 'output-available',
      input: { path: 'x' },
      output: { text: 'Found' },
    },
  ]
  await using lab = await openCoreLab(await deadHost(parts))
  await lab.core.recover()
  lab.provider.script(reply({ text: 'It says: found.' }))
  const { runId } = await lab.sessions.continue(SESSION)
  await lab.chunksOf(SESSION, runId)
  const { items } = await lab.sessions.messages({ sessionId: SESSION })
  expect(items.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
  expect(items[2]?.parts.at(-1)).toMatchObject({ text: 'It says: found.' })
  const sent = JSON.stringify(lab.steps[0]?.body['messages'])
  expect(sent).toContain('Found')
  expect(sent).toContain('cut short')
})

test('RV-5 a question that never got an answer is answered by a resume', async () => {
  await using lab = await openCoreLab(await deadHost([]))
  await lab.core.recover()
  lab.provider.script(reply({ text: 'Better late' }))
  const { runId } = await lab.sessions.continue(SESSION)
  await lab.chunksOf(SESSION, runId)
  expect(JSON.stringify(lab.steps[0]?.body['messages'])).not.toContain('cut short')
  const { items } = await lab.sessions.messages({ sessionId: SESSION })
  expect(items.map(({ role }) => role)).toEqual(['user', 'assistant'])
})

test('RV-5 a reply that is complete is not continued', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  const { sessionId } = await lab.turn('One')
  await expect(lab.sessions.continue(sessionId)).rejects.toMatchObject({ code: 'CONFLICT' })
  const { id } = await lab.sessions.create({})
  await expect(lab.sessions.continue(id)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('RV-5 a run that stopped at its last step is continued by one call', async () => {
  await using lab = await openCoreLab({}, { agent: { maxSteps: 1 } })
  lab.provider.script(reply({ toolCalls: [todo] }), reply({ text: 'Done' }))
  const { sessionId, messages } = await lab.turn('Plan')
  expect(messages[1]?.metadata?.finishReason).toBe('max-steps')
  const { runId } = await lab.sessions.continue(sessionId)
  await lab.chunksOf(sessionId, runId)
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items.at(-1)?.metadata?.finishReason).toBe('stop')
})

test('RV-3 stopping lets runs finish within the grace period, and starts nothing that waits', async () => {
  await using lab = await openCoreLab()
  const gate = Promise.withResolvers<void>()
  lab.provider.script(reply({ text: ['One', ' two'], hold: { before: 1, until: gate.promise } }))
  const { sessionId } = await lab.say('Go')
  await lab.say('Later', sessionId)
  await lab.provider.received(0)
  const stopped = lab.core.shutdown(60_000)
  gate.resolve()
  await stopped
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items[1]?.parts.at(-1)).toMatchObject({ text: 'One two', state: 'done' })
  expect(items).toHaveLength(2)
  expect(await lab.sessions.queue.list(sessionId)).toHaveLength(1)
})

test('RV-3 after the grace period runs are aborted, and what they had is kept', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: ['One'], ending: 'stall' }))
  const { sessionId } = await lab.say('Go')
  for await (const chunks of lab.sessions.stream({ sessionId })) {
    if (chunks.some(({ type }) => type === 'text-delta')) break
  }
  await lab.core.shutdown(0)
  expect(lab.core.activeRuns).toBe(0)
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items[1]?.metadata?.finishReason).toBe('aborted')
  expect(items[1]?.parts.at(-1)).toMatchObject({ text: 'One' })
})

test('RV-3 a host that stops keeps what is sent to it and refuses to start anything else', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  const { sessionId, messages } = await lab.turn('One')
  await lab.core.shutdown(0)
  expect(await lab.say('Two', sessionId)).toMatchObject({ queued: true })
  const resend = lab.sessions.resend({ sessionId, messageId: messages[0]?.id ?? '' })
  await expect(resend).rejects.toMatchObject({ code: 'SESSION_BUSY' })
  expect(lab.core.activeRuns).toBe(0)
})

test('RV-3 a second stop of a core gives runs no more time, and both calls return at the end', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: ['One'], ending: 'stall' }))
  const { sessionId } = await lab.say('Go')
  await lab.provider.received(0)
  const first = lab.core.shutdown(600_000)
  await lab.core.shutdown(0)
  await first
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items[1]?.metadata?.finishReason).toBe('aborted')
})

test('RV-3 while a core stops nothing is summarised, and what is sent for another model waits', async () => {
  await using lab = await openCoreLab()
  const gate = Promise.withResolvers<void>()
  lab.provider.script(
    reply({ text: 'Done' }),
    reply({ text: ['Not', ' yet'], hold: { before: 1, until: gate.promise } }),
  )
  const { sessionId } = await lab.turn('One')
  await lab.say('Two')
  const stopped = lab.core.shutdown(60_000)
  await expect(lab.sessions.history.compact(sessionId)).rejects.toMatchObject({ code: 'SESSION_BUSY' })
  const model = { providerId: 'lab', modelId: 'm2' }
  const message = { parts: [{ type: 'text' as const, text: 'Three' }] }
  expect(await lab.sessions.send({ sessionId, message, model })).toMatchObject({ queued: true })
  expect(await lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
  gate.resolve()
  await stopped
  expect(await lab.sessions.queue.list(sessionId)).toHaveLength(1)
})

test('RL-3 RV-2 a run whose end could not be written frees its session without a restart', async () => {
  let broken = true
  const store = withRuns(await createMemoryStore(), (runs) => ({
    end: (...args) =>
      broken ? Promise.reject(new AppError('STORE_ERROR', 'The disk is full.')) : runs.end(...args),
  }))
  await using lab = await openCoreLab({ store })
  lab.provider.script(reply({ text: 'Lost end' }))
  const first = await lab.turn('One')
  expect(first.chunks.at(-1)).toEqual({ type: 'error', errorText: 'The disk is full.' })
  expect(await lab.sessions.status(first.sessionId)).toMatchObject({ state: 'error', code: 'STORE_ERROR' })
  broken = false
  lab.provider.script(reply({ text: 'Better' }))
  const { messages } = await lab.turn('Two', first.sessionId)
  expect(messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'Better' })
  expect(messages[1]?.metadata?.finishReason).toBe('interrupted')
})

test('RL-3 a run that cannot even read its conversation leaves a named state and a session that works', async () => {
  let broken = false
  const memory = await createMemoryStore()
  const failing = () => Promise.reject(new AppError('STORE_ERROR', 'The disk is gone.'))
  const visible: Store['messages']['visible'] = (id) => (broken ? failing() : memory.messages.visible(id))
  await using lab = await openCoreLab({ store: { ...memory, messages: { ...memory.messages, visible } } })
  const { id: sessionId } = await lab.sessions.create({})
  broken = true
  const failed = lab.event(
    (event): event is Extract<typeof event, { type: 'status' }> =>
      event.type === 'status' && event.status.state === 'error',
  )
  await lab.say('One', sessionId)
  expect((await failed).status).toMatchObject({ code: 'STORE_ERROR', message: 'The disk is gone.' })
  broken = false
  lab.provider.script(reply({ text: 'Better' }))
  const { messages } = await lab.turn('Two', sessionId)
  expect(messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant'])
})
