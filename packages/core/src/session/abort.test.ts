import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import { failure, reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { withRuns } from '@palimpsest/testing/with-runs.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { ChatChunk } from '../domain/message/message.ts'
import type { SessionEvent } from '../domain/session/event.ts'
import { defineTool } from '../tool/tool.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Starts a turn and resolves once a viewer has seen a chunk of this type. */
async function sayUntil(lab: CoreLab, type: ChatChunk['type'], sessionId?: string) {
  const sent = await lab.say('Go', sessionId)
  for await (const chunks of lab.sessions.stream({ sessionId: sent.sessionId, runId: sent.runId })) {
    if (chunks.some((chunk) => chunk.type === type)) break
  }
  return sent
}

async function expectNextWorks(lab: CoreLab, sessionId: string) {
  lab.provider.script(reply({ text: 'Here again' }))
  const { messages } = await lab.turn('Again', sessionId)
  expect(messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'Here again', state: 'done' })
}

test('AB-1 AB-3 a stopped reply keeps what had come, says that it was stopped, and the next send works', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: ['One', 'two'], ending: 'stall' }))
  const { sessionId, runId } = await sayUntil(lab, 'text-delta')
  expect(await lab.sessions.abort(sessionId)).toEqual({ aborted: true })
  expect(await lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items[1]?.metadata).toMatchObject({ finishReason: 'aborted', usage: { unknown: true } })
  const chunks = await lab.chunksOf(sessionId, runId)
  expect(chunks.at(-1)).toEqual({ type: 'abort', reason: 'stopped' })
  expect(items[1]).toEqual(await reduceBySdk(chunks))
  await expectNextWorks(lab, sessionId)
})

test('AB-2 an abort closes the connection to the provider', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: ['One'], ending: 'stall' }))
  const { sessionId } = await sayUntil(lab, 'text-delta')
  await lab.sessions.abort(sessionId)
  expect((await lab.provider.closed(0)).by).toBe('client')
})

test('AB-1 an abort that names a run never touches a later one', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'First' }), reply({ text: ['Second'], ending: 'stall' }))
  const first = await lab.turn('One')
  const second = await sayUntil(lab, 'text-delta', first.sessionId)
  expect(await lab.sessions.abort(first.sessionId, first.runId)).toEqual({ aborted: false })
  expect(await lab.sessions.status(first.sessionId)).toMatchObject({ state: 'busy', runId: second.runId })
  expect(await lab.sessions.abort(first.sessionId, second.runId)).toEqual({ aborted: true })
})

test('AB-1 an abort without a run returns that nothing was running', async () => {
  await using lab = await openCoreLab()
  const { id } = await lab.sessions.create({})
  expect(await lab.sessions.abort(id)).toEqual({ aborted: false })
  await expect(lab.sessions.abort('ses_unknown')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
})

test('AB-1 two simultaneous aborts both return that something was running', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: ['One'], ending: 'stall' }))
  const { sessionId } = await sayUntil(lab, 'text-delta')
  const answers = await Promise.all([lab.sessions.abort(sessionId), lab.sessions.abort(sessionId)])
  expect(answers).toEqual([{ aborted: true }, { aborted: true }])
})

test('AB-4 an abort right after the send settles, before the provider has sent anything', async () => {
  await using lab = await openCoreLab()
  lab.provider.otherwise(reply({ text: 'Never wanted' }))
  const { sessionId } = await lab.say('Go')
  await lab.sessions.abort(sessionId)
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items[1]?.metadata).toMatchObject({ finishReason: 'aborted' })
  expect(items[1]?.metadata).not.toHaveProperty('usage')
  await expectNextWorks(lab, sessionId)
})

test('AB-4 an abort before the first chunk settles, and closes the connection', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: [], ending: 'stall' }))
  const { sessionId } = await lab.say('Go')
  await lab.provider.received(0)
  await lab.sessions.abort(sessionId)
  expect((await lab.provider.closed(0)).by).toBe('client')
  await expectNextWorks(lab, sessionId)
})

test('AB-4 ST-4 an abort during the wait for another try ends the wait', async () => {
  const clock = createFakeClock()
  await using lab = await openCoreLab({ clock })
  lab.provider.script(failure(503, 'Overloaded', { 'retry-after': '600' }))
  const isRetry = (event: SessionEvent): event is Extract<SessionEvent, { type: 'status' }> =>
    event.type === 'status' && event.status.state === 'retrying'
  const retrying = lab.event(isRetry)
  const { sessionId } = await lab.say('Go')
  expect((await retrying).status).toMatchObject({ attempt: 1, retryAt: clock.now() + 600_000 })
  expect(await lab.sessions.abort(sessionId)).toEqual({ aborted: true })
  expect(await lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
  expect(lab.steps).toHaveLength(1)
})

test('AB-2 AB-3 AB-4 a tool that ignores the abort is not awaited, its late output dropped, its call frozen', async () => {
  const begun = Promise.withResolvers<void>()
  const late = Promise.withResolvers<{ text: string }>()
  const signals: AbortSignal[] = []
  const uncancellable = defineTool({
    id: 'uncancellable',
    description: 'Does not listen',
    input: z.object({}),
    requires: () => [],
    execute: (_, { signal }) => {
      signals.push(signal)
      begun.resolve()
      return late.promise
    },
  })
  await using lab = await openCoreLab({}, { agent: { tools: [uncancellable] } })
  lab.provider.script(reply({ text: 'Wait', toolCalls: [{ name: 'uncancellable', input: {} }] }))
  const { sessionId, runId } = await lab.say('Go')
  await begun.promise
  await lab.sessions.abort(sessionId)
  expect(signals[0]?.aborted).toBe(true)
  late.resolve({ text: 'Too late' })
  await settle()
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items[1]?.parts.at(-1)).toMatchObject({ type: 'tool-uncancellable', state: 'input-available' })
  expect(JSON.stringify(await lab.chunksOf(sessionId, runId))).not.toContain('Too late')

  lab.provider.script(reply({ text: 'Fine' }))
  await lab.turn('Go on', sessionId)
  const sent = JSON.stringify(lab.steps.at(-1)?.body['messages'])
  expect(sent).toContain('The call was stopped before it finished')
  expect(sent).not.toContain('Too late')
})

test('AB-3 a call whose arguments were still streaming stays frozen so', async () => {
  await using lab = await openCoreLab()
  const input = { todos: [{ content: 'A long task', status: 'pending' }] }
  const go = Promise.withResolvers<void>()
  lab.provider.script(
    reply({ toolCalls: [{ name: 'todo', input, pieces: 4 }], hold: { before: 2, until: go.promise } }),
  )
  const { sessionId } = await sayUntil(lab, 'tool-input-delta')
  await lab.sessions.abort(sessionId)
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items[1]?.parts.at(-1)).toMatchObject({ type: 'tool-todo', state: 'input-streaming' })
  await expectNextWorks(lab, sessionId)
})

test('AB-1 LS-8 a run that is stopped at any moment ends with exactly one terminal chunk', async () => {
  for (const type of ['start', 'text-start', 'text-delta', 'finish-step', 'finish'] as const) {
    await using lab = await openCoreLab()
    lab.provider.script(reply({ text: ['One', 'two', 'three'] }))
    const { sessionId, runId } = await sayUntil(lab, type)
    await lab.sessions.abort(sessionId)
    const ends = (await lab.chunksOf(sessionId, runId)).filter(
      (chunk) => chunk.type === 'finish' || chunk.type === 'abort' || chunk.type === 'error',
    )
    expect(ends).toHaveLength(1)
  }
})

test('AB-4 QU-5 an abort between two steps leaves the steering message in the queue', async () => {
  const committing = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const store = withRuns(await createMemoryStore(), (runs) => ({
    async commitStep(step) {
      committing.resolve()
      await gate.promise
      return await runs.commitStep(step)
    },
  }))
  await using lab = await openCoreLab({ store })
  const todos = [{ content: 'Look', status: 'completed' }]
  lab.provider.script(reply({ toolCalls: [{ name: 'todo', input: { todos } }] }), reply({ text: 'Answered' }))
  const { sessionId, runId } = await lab.say('Go')
  await committing.promise
  const message = { parts: [{ type: 'text' as const, text: 'In French' }] }
  const { messageId } = await lab.sessions.send({ sessionId, message, steer: true })
  const added = lab.event((event): event is SessionEvent => event.type === 'message-added')
  const aborted = lab.sessions.abort(sessionId, runId)
  gate.resolve()
  await aborted
  expect(await added).toMatchObject({ message: { id: messageId } })
  expect(JSON.stringify(await lab.chunksOf(sessionId, runId))).not.toContain('steering-message')
})

test('AB-4 QU-5 after an abort a message that was to steer waits as others do, and enters no later reply', async () => {
  await using lab = await openCoreLab()
  const todos = [{ content: 'Look', status: 'completed' }]
  const call = { toolCalls: [{ name: 'todo', input: { todos } }] }
  lab.provider.script(
    reply({ text: ['One'], ending: 'stall' }),
    ...[reply(call), reply({ text: 'Two' }), reply({ text: 'Three' })],
  )
  const { sessionId } = await sayUntil(lab, 'text-delta')
  const message = { parts: [{ type: 'text' as const, text: 'In French' }] }
  await lab.sessions.send({ sessionId, message, steer: true })
  expect((await lab.sessions.queue.list(sessionId)).map(({ metadata }) => metadata?.steer)).toEqual([true])
  await lab.sessions.abort(sessionId)
  expect((await lab.sessions.queue.list(sessionId)).map(({ metadata }) => metadata?.steer)).toEqual([false])
  const next = { parts: [{ type: 'text' as const, text: 'Go on' }] }
  const { runId } = await lab.sessions.send({ sessionId, message: next })
  expect(JSON.stringify(await lab.chunksOf(sessionId, runId ?? ''))).not.toContain('steering-message')
})

test('AB-1 deleting a session stops its run first', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: ['One'], ending: 'stall' }))
  const { sessionId } = await sayUntil(lab, 'text-delta')
  await lab.sessions.delete(sessionId)
  expect((await lab.provider.closed(0)).by).toBe('client')
  await expect(lab.sessions.get(sessionId)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  expect(lab.core.activeRuns).toBe(0)
})
