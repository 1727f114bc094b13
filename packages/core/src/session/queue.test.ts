import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test, vi } from 'vitest'
import { LIMITS } from '../domain/limits.ts'
import type { ChatMessage } from '../domain/message/message.ts'
import type { SessionEvent } from '../domain/session/event.ts'

const todo = { name: 'todo', input: { todos: [{ content: 'Look', status: 'completed' }] } }
const textsOf = (messages: ChatMessage[]) =>
  messages.map(
    ({ role, parts }) => `${role}: ${parts.map((part) => (part.type === 'text' ? part.text : '')).join('')}`,
  )

/** A session with a run that lasts until `finish` is called. */
async function openBusy(lab: CoreLab, toolCalls: (typeof todo)[] = []) {
  const gate = Promise.withResolvers<void>()
  lab.provider.script(
    reply({ text: ['First', ' reply'], toolCalls, hold: { before: 1, until: gate.promise } }),
  )
  const { sessionId, runId } = await lab.say('One')
  await lab.provider.received(0)
  return { sessionId, runId, finish: () => gate.resolve() }
}

/** Resolves with the id of the next run that starts in the session. */
async function nextRun(lab: CoreLab): Promise<string> {
  const isStart = (event: SessionEvent): event is Extract<SessionEvent, { type: 'status' }> =>
    event.type === 'status' && event.status.state === 'busy'
  const { status } = await lab.event(isStart)
  return status.state === 'busy' ? status.runId : ''
}

async function allMessages(lab: CoreLab, sessionId: string) {
  return (await lab.sessions.messages({ sessionId })).items
}

test('QU-1 QU-2 messages sent during a run wait, and fire one after the other when it ends', async () => {
  await using lab = await openCoreLab()
  const { sessionId, finish } = await openBusy(lab)
  expect(await lab.say('Two', sessionId)).toMatchObject({ queued: true, runId: '' })
  expect(await lab.say('Three', sessionId)).toMatchObject({ queued: true })
  expect(textsOf(await lab.sessions.queue.list(sessionId))).toEqual(['user: Two', 'user: Three'])
  expect(textsOf(await allMessages(lab, sessionId)).filter((line) => line.startsWith('user'))).toEqual([
    'user: One',
  ])
  lab.provider.script(reply({ text: 'Second reply' }), reply({ text: 'Third reply' }))
  const second = nextRun(lab)
  finish()
  const third = nextRun(lab).then(() => nextRun(lab))
  await lab.chunksOf(sessionId, await second)
  await lab.chunksOf(sessionId, await third)
  expect(textsOf(await allMessages(lab, sessionId))).toEqual([
    'user: One',
    'assistant: First reply',
    'user: Two',
    'assistant: Second reply',
    'user: Three',
    'assistant: Third reply',
  ])
  expect(await lab.sessions.queue.list(sessionId)).toEqual([])
})

test('QU-2 an abort lets the next one fire too', async () => {
  await using lab = await openCoreLab()
  const { sessionId } = await openBusy(lab)
  await lab.say('Two', sessionId)
  lab.provider.script(reply({ text: 'Second reply' }))
  const second = nextRun(lab)
  await lab.sessions.abort(sessionId)
  await lab.chunksOf(sessionId, await second)
  expect(textsOf(await allMessages(lab, sessionId)).at(-1)).toBe('assistant: Second reply')
})

test('QU-3 queued messages can be edited, reordered and cancelled, and every change is published', async () => {
  await using lab = await openCoreLab()
  const { sessionId, finish } = await openBusy(lab)
  const ids: string[] = []
  for (const text of ['a', 'b', 'c']) ids.push((await lab.say(text, sessionId)).messageId)
  const [a = '', b = '', c = ''] = ids
  const isQueue = (event: SessionEvent): event is Extract<SessionEvent, { type: 'queue' }> =>
    event.type === 'queue'
  const published = lab.event(isQueue)
  await lab.sessions.queue.edit({ sessionId, messageId: b, parts: [{ type: 'text', text: 'B' }] })
  expect(textsOf((await published).queue)).toEqual(['user: a', 'user: B', 'user: c'])
  const reordered = await lab.sessions.queue.reorder(sessionId, [c, b, a])
  expect(textsOf(reordered)).toEqual(['user: c', 'user: B', 'user: a'])
  await lab.sessions.queue.cancel(sessionId, c)
  expect(textsOf(await lab.sessions.queue.list(sessionId))).toEqual(['user: B', 'user: a'])
  await expect(lab.sessions.queue.reorder(sessionId, [c, b, a])).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(lab.sessions.queue.cancel(sessionId, c)).rejects.toMatchObject({ code: 'CONFLICT' })
  await lab.sessions.queue.cancel(sessionId, a)
  await lab.sessions.queue.cancel(sessionId, b)
  finish()
})

test('QU-3 a promoted message stops the run and is answered next', async () => {
  await using lab = await openCoreLab()
  const { sessionId } = await openBusy(lab)
  await lab.say('Later', sessionId)
  const { messageId } = await lab.say('Now', sessionId)
  lab.provider.script(reply({ text: 'Now reply' }), reply({ text: 'Later reply' }))
  const { runId } = await lab.sessions.queue.promote(sessionId, messageId)
  await lab.chunksOf(sessionId, runId)
  const messages = await allMessages(lab, sessionId)
  expect(messages.find(({ id }) => id === messageId)?.metadata?.runId).toBe(runId)
  expect(messages[1]?.metadata?.finishReason).toBe('aborted')
  expect(textsOf(messages).slice(2, 4)).toEqual(['user: Now', 'assistant: Now reply'])
})

test('QU-3 a promotion answers its own run, also when another one begins between the stop and it', async () => {
  const store = await createMemoryStore()
  const gate = Promise.withResolvers<void>()
  let reading: Promise<void> = Promise.resolve()
  const queue: typeof store.queue = {
    ...store.queue,
    async list(sessionId) {
      await reading
      return await store.queue.list(sessionId)
    },
    reorder(...order) {
      reading = gate.promise
      return store.queue.reorder(...order)
    },
  }
  await using lab = await openCoreLab({ store: { ...store, queue } })
  const { sessionId } = await openBusy(lab)
  const { messageId } = await lab.say('Now', sessionId)
  lab.provider.otherwise(reply({ text: 'ok' }))
  const idle = lab.event(
    (event): event is SessionEvent => event.type === 'status' && event.status.state === 'idle',
  )
  const promoted = lab.sessions.queue.promote(sessionId, messageId)
  await idle
  const foreign = await lab.sessions.continue(sessionId)
  gate.resolve()
  const { runId } = await promoted
  expect(runId).not.toBe(foreign.runId)
  await lab.chunksOf(sessionId, runId)
  const messages = await allMessages(lab, sessionId)
  expect(messages.find(({ id }) => id === messageId)?.metadata?.runId).toBe(runId)
})

test('QU-1 messages sent at once during a run are queued up to the limit, and the others are refused', async () => {
  await using lab = await openCoreLab()
  const { sessionId, finish } = await openBusy(lab)
  const sent = await Promise.allSettled(
    Array.from({ length: LIMITS.queuedMessages + 5 }, (_, index) => lab.say(`${index}`, sessionId)),
  )
  const refused = sent.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject(Array(5).fill({ reason: { code: 'RATE_LIMITED' } }))
  expect(await lab.sessions.queue.list(sessionId)).toHaveLength(LIMITS.queuedMessages)
  await lab.core.shutdown(0)
  finish()
})

test('QU-3 a message that has been sent already cannot be promoted, and one that never was is not found', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  const { sessionId, messages } = await lab.turn('One')
  await expect(lab.sessions.queue.promote(sessionId, messages[0]?.id ?? '')).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  await expect(lab.sessions.queue.promote(sessionId, 'msg_none')).rejects.toMatchObject({
    code: 'MESSAGE_NOT_FOUND',
  })
})

test('QU-3 cancelling and firing exclude each other, and the rest of the queue continues', async () => {
  for (let round = 0; round < 10; round++) {
    await using lab = await openCoreLab()
    const { sessionId, runId, finish } = await openBusy(lab)
    const { messageId } = await lab.say('Two', sessionId)
    await lab.say('Three', sessionId)
    lab.provider.otherwise(reply({ text: 'ok' }))
    finish()
    for (let turn = 0; turn < round; turn++) await lab.sessions.status(sessionId)
    if (round % 2 === 0) await lab.chunksOf(sessionId, runId)
    const cancelled = await lab.sessions.queue.cancel(sessionId, messageId).then(
      () => true,
      () => false,
    )
    await emptied(lab, sessionId)
    const users = textsOf(await allMessages(lab, sessionId)).filter((line) => line.startsWith('user'))
    expect(users).toEqual(
      cancelled ? ['user: One', 'user: Three'] : ['user: One', 'user: Two', 'user: Three'],
    )
  }
})

test('QU-1 a message sent at the very end of a run is answered, never stuck', async () => {
  for (let round = 0; round < 15; round++) {
    await using lab = await openCoreLab()
    const { sessionId, finish } = await openBusy(lab)
    lab.provider.otherwise(reply({ text: 'ok' }))
    finish()
    for (let turn = 0; turn < round * 3; turn++) await lab.sessions.status(sessionId)
    await lab.say('Two', sessionId)
    await emptied(lab, sessionId)
    expect(textsOf(await allMessages(lab, sessionId)).slice(-2)).toEqual(['user: Two', 'assistant: ok'])
  }
})

test('QU-4 the queue outlives the host, and reading it starts nothing', async () => {
  await using lab = await openCoreLab()
  const { sessionId } = await openBusy(lab)
  await lab.say('Two', sessionId)
  await lab.core.shutdown(0)
  await using restarted = await openCoreLab({ store: lab.ports.store })
  expect(textsOf(await restarted.sessions.queue.list(sessionId))).toEqual(['user: Two'])
  await restarted.sessions.get(sessionId)
  expect(restarted.core.activeRuns).toBe(0)
  expect(restarted.provider.requests).toEqual([])
})

test('QU-5 a message marked to steer enters the run at its next step, and leaves the queue', async () => {
  await using lab = await openCoreLab()
  const { sessionId, runId, finish } = await openBusy(lab, [todo])
  lab.provider.script(reply({ text: 'En français' }))
  const message = { parts: [{ type: 'text' as const, text: 'In French' }] }
  const { messageId } = await lab.sessions.send({ sessionId, message, steer: true })
  finish()
  const chunks = await lab.chunksOf(sessionId, runId)
  expect(chunks).toContainEqual({ type: 'steering-message', id: messageId, parts: message.parts })
  expect(await lab.sessions.queue.list(sessionId)).toEqual([])
  const messages = await allMessages(lab, sessionId)
  expect(messages).toHaveLength(2)
  expect(messages[1]?.parts.map(({ type }) => type)).toContain('steering-message')
  const sent = lab.steps.at(-1)?.body['messages']
  expect(JSON.stringify(Array.isArray(sent) ? sent.at(-1) : null)).toContain('In French')
})

test('QU-5 a message that came too late to steer is answered after the run', async () => {
  await using lab = await openCoreLab()
  const { sessionId, finish } = await openBusy(lab)
  const message = { parts: [{ type: 'text' as const, text: 'Too late' }] }
  await lab.sessions.send({ sessionId, message, steer: true })
  lab.provider.script(reply({ text: 'Answered' }))
  const next = nextRun(lab)
  finish()
  await lab.chunksOf(sessionId, await next)
  expect(textsOf(await allMessages(lab, sessionId)).slice(-2)).toEqual([
    'user: Too late',
    'assistant: Answered',
  ])
})

test('QU-5 a message whose run was stopped joins no other reply: it waits as the others do', async () => {
  await using lab = await openCoreLab()
  const { sessionId, runId } = await openBusy(lab)
  await lab.say('Next', sessionId)
  const message = { parts: [{ type: 'text' as const, text: 'In French' }] }
  await lab.sessions.send({ sessionId, message, steer: true })
  lab.provider.script(
    reply({ toolCalls: [{ name: 'todo', input: { todos: [{ content: 'Look', status: 'completed' }] } }] }),
    reply({ text: 'To the next' }),
    reply({ text: 'Bonjour' }),
  )
  const emptiedThen = emptied(lab, sessionId)
  await lab.sessions.abort(sessionId, runId)
  await emptiedThen
  const messages = (await allMessages(lab, sessionId)).slice(2)
  expect(textsOf(messages)).toEqual([
    'user: Next',
    'assistant: To the next',
    'user: In French',
    'assistant: Bonjour',
  ])
})

test('QU-5 a message whose run failed is no longer marked to steer while the queue is paused', async () => {
  await using lab = await openCoreLab()
  const gate = Promise.withResolvers<void>()
  const error = { message: 'No credit', code: 'insufficient_quota' }
  lab.provider.script(reply({ text: ['Half'], hold: { before: 1, until: gate.promise }, ending: { error } }))
  const { sessionId } = await lab.say('One')
  const message = { parts: [{ type: 'text' as const, text: 'In French' }] }
  await lab.sessions.send({ sessionId, message, steer: true })
  gate.resolve()
  await vi.waitFor(async () => {
    const [waiting, ...others] = await lab.sessions.queue.list(sessionId)
    expect([waiting?.metadata?.steer, others]).toEqual([false, []])
  })
})

/** Resolves once nothing runs and nothing waits. */
async function emptied(lab: CoreLab, sessionId: string): Promise<void> {
  for await (const event of lab.sessions.events(sessionId)) {
    if (event.type !== 'status' && event.type !== 'queue' && event.type !== 'message-settled') continue
    const [queue, status] = [await lab.sessions.queue.list(sessionId), await lab.sessions.status(sessionId)]
    if (queue.length === 0 && status.state === 'idle') return
  }
}
