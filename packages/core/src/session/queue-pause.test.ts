import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { openHistoryLab } from '@palimpsest/testing/history-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { withRuns } from '@palimpsest/testing/with-runs.ts'
import { expect, test } from 'vitest'
import type { ChatMessage } from '../domain/message/message.ts'
import type { SessionEvent } from '../domain/session/event.ts'

const error = { message: 'No credit', code: 'insufficient_quota' }
const textsOf = (messages: ChatMessage[]) =>
  messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''))

async function questions(lab: CoreLab, sessionId: string): Promise<string[]> {
  const { items } = await lab.sessions.messages({ sessionId, hidden: true })
  return textsOf(items.filter(({ role }) => role === 'user'))
}

async function waiting(lab: CoreLab, sessionId: string): Promise<string[]> {
  return textsOf(await lab.sessions.queue.list(sessionId))
}

/** A session whose reply has failed while these waited. */
async function openPaused(lab: CoreLab, ...texts: string[]) {
  const gate = Promise.withResolvers<void>()
  lab.provider.script(reply({ text: ['Half'], hold: { before: 1, until: gate.promise }, ending: { error } }))
  const { sessionId, runId } = await lab.say('One')
  for (const text of texts) await lab.say(text, sessionId)
  const settled = lab.event((event): event is SessionEvent => event.type === 'message-settled')
  gate.resolve()
  await lab.chunksOf(sessionId, runId)
  await settled
  expect(await lab.sessions.status(sessionId)).toMatchObject({ state: 'error' })
  expect(await waiting(lab, sessionId)).toEqual(texts)
  return { sessionId }
}

/** Resolves once nothing runs and nothing waits. */
async function emptied(lab: CoreLab, sessionId: string): Promise<void> {
  for await (const event of lab.sessions.events(sessionId)) {
    if (event.type !== 'status' && event.type !== 'queue' && event.type !== 'message-settled') continue
    const [queue, status] = [await lab.sessions.queue.list(sessionId), await lab.sessions.status(sessionId)]
    if (queue.length === 0 && status.state === 'idle') return
  }
}

test('QU-2 a message that is sent into a paused queue overtakes nothing, and the queue continues in order', async () => {
  await using lab = await openCoreLab()
  const { sessionId } = await openPaused(lab, 'Two', 'Three')
  lab.provider.otherwise(reply({ text: 'ok' }))
  expect(await lab.say('Four', sessionId)).toMatchObject({ queued: true })
  await emptied(lab, sessionId)
  expect(await questions(lab, sessionId)).toEqual(['One', 'Two', 'Three', 'Four'])
})

test('QU-2 a message for another model waits behind a paused queue too', async () => {
  await using lab = await openCoreLab()
  const { sessionId } = await openPaused(lab, 'Two')
  lab.provider.otherwise(reply({ text: 'ok' }))
  const message = { parts: [{ type: 'text' as const, text: 'Three' }] }
  const model = { providerId: 'lab', modelId: 'm2' }
  expect(await lab.sessions.send({ sessionId, message, model })).toMatchObject({ queued: true })
  await emptied(lab, sessionId)
  expect(await questions(lab, sessionId)).toEqual(['One', 'Two', 'Three'])
})

test('QU-2 a failed reply that is asked for again comes first, and the queue continues after it', async () => {
  await using lab = await openCoreLab()
  const { sessionId } = await openPaused(lab, 'Two')
  const { items } = await lab.sessions.messages({ sessionId })
  lab.provider.script(reply({ text: 'One again' }), reply({ text: 'Two answered' }))
  await lab.sessions.resend({ sessionId, messageId: items[0]?.id ?? '' })
  await emptied(lab, sessionId)
  const after = await lab.sessions.messages({ sessionId })
  expect(textsOf(after.items)).toEqual(['One', 'One again', 'Two', 'Two answered'])
})

test('QU-2 a compaction by request leaves a paused queue paused', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await lab.turn('Zero '.repeat(300))
  await lab.turn('Zero and a half', sessionId)
  const gate = Promise.withResolvers<void>()
  lab.provider.script(reply({ text: ['Half'], hold: { before: 1, until: gate.promise }, ending: { error } }))
  const { runId } = await lab.say('One', sessionId)
  await lab.say('Two', sessionId)
  gate.resolve()
  await lab.chunksOf(sessionId, runId)
  await lab.sessions.history.compact(sessionId)
  await lab.sessions.get(sessionId)
  expect(await waiting(lab, sessionId)).toEqual(['Two'])
})

test('QU-2 QU-4 a paused queue stays paused on the next host, and what is sent there comes behind it', async () => {
  await using lab = await openCoreLab()
  const { sessionId } = await openPaused(lab, 'Two')
  await lab.core.shutdown(0)
  await using next = await openCoreLab({ store: lab.ports.store })
  await next.core.recover()
  await next.core.continueQueues()
  expect(await waiting(next, sessionId)).toEqual(['Two'])
  next.provider.otherwise(reply({ text: 'ok' }))
  await next.say('Three', sessionId)
  await emptied(next, sessionId)
  expect(await questions(next, sessionId)).toEqual(['One', 'Two', 'Three'])
})

test('QU-4 RV-3 what was sent to a host that stops is answered once by the next one, in order', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: ['Half'], ending: 'stall' }))
  const { sessionId } = await lab.say('One')
  await lab.provider.received(0)
  await lab.say('Two', sessionId)
  const stopped = lab.core.shutdown(60_000)
  expect(await lab.say('Three', sessionId)).toMatchObject({ queued: true })
  await lab.core.shutdown(0)
  await stopped
  const { id: other } = await lab.sessions.create({})
  expect(await lab.say('Late', other)).toMatchObject({ queued: true })
  await using next = await openCoreLab({ store: lab.ports.store })
  next.provider.otherwise(reply({ text: 'ok' }))
  await next.core.recover()
  await Promise.all([next.core.continueQueues(), next.core.continueQueues()])
  await Promise.all([emptied(next, sessionId), emptied(next, other)])
  expect(await questions(next, sessionId)).toEqual(['One', 'Two', 'Three'])
  expect(await questions(next, other)).toEqual(['Late'])
  await using third = await openCoreLab({ store: lab.ports.store })
  await third.core.continueQueues()
  expect(third.core.activeRuns).toBe(0)
})

test('QU-3 a cancelled message stays listed and can be put back, behind what waits', async () => {
  await using lab = await openCoreLab()
  const { sessionId } = await openPaused(lab, 'Two', 'Three')
  const [two = ''] = (await lab.sessions.queue.list(sessionId)).map(({ id }) => id)
  await lab.sessions.queue.cancel(sessionId, two)
  const { items } = await lab.sessions.queue.cancelled({ sessionId })
  expect(textsOf(items)).toEqual(['Two'])
  lab.provider.otherwise(reply({ text: 'ok' }))
  expect(await lab.sessions.queue.restore(sessionId, two)).toEqual({ messageId: two, queued: true })
  await emptied(lab, sessionId)
  expect(await questions(lab, sessionId)).toEqual(['One', 'Three', 'Two'])
  expect((await lab.sessions.queue.cancelled({ sessionId })).items).toEqual([])
  await expect(lab.sessions.queue.restore(sessionId, two)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('QU-3 a cancelled message that is restored in an idle session is sent at once', async () => {
  await using lab = await openCoreLab()
  const { sessionId } = await openPaused(lab, 'Two')
  const [two = ''] = (await lab.sessions.queue.list(sessionId)).map(({ id }) => id)
  await lab.sessions.queue.cancel(sessionId, two)
  lab.provider.otherwise(reply({ text: 'ok' }))
  const restored = await lab.sessions.queue.restore(sessionId, two)
  expect(restored).toMatchObject({ messageId: two, queued: false })
  await lab.chunksOf(sessionId, restored.runId ?? '')
  expect(await questions(lab, sessionId)).toEqual(['One', 'Two'])
})

test('QU-3 RW-2 a queued message that is cancelled as it fires hides no prompt', async () => {
  const memory = await createMemoryStore()
  let cancelled = ''
  const store = withRuns(memory, (runs) => ({
    async begin(lease, trigger) {
      if (cancelled !== '') await memory.queue.cancel(lease.sessionId, cancelled, 9_000)
      return await runs.begin(lease, trigger)
    },
  }))
  await using lab = await openCoreLab({ store })
  lab.provider.otherwise(reply({ text: 'ok' }))
  const { sessionId, messages } = await lab.turn('One')
  await lab.sessions.history.rewind({ sessionId, messageId: messages[0]?.id ?? '' })
  const metadata = { schemaVersion: 1 as const, createdAt: 1 }
  const parts = [{ type: 'text' as const, text: 'Two' }]
  await memory.queue.add({ id: 'msg_two', sessionId, role: 'user', metadata, parts }, 1)
  cancelled = 'msg_two'
  await expect(lab.sessions.queue.promote(sessionId, 'msg_two')).rejects.toMatchObject({ code: 'CONFLICT' })
  const { items } = await lab.sessions.messages({ sessionId })
  expect(textsOf(items)).toEqual(['One'])
  expect(textsOf((await lab.sessions.queue.cancelled({ sessionId })).items)).toEqual(['Two'])
})

/** A session whose first reply streams while these wait, stopped together with its queue. */
async function openStopped(lab: CoreLab, ...texts: string[]) {
  lab.provider.script(reply({ text: ['Half'], ending: 'stall' }))
  const { sessionId } = await lab.say('One')
  await lab.provider.received(0)
  for (const text of texts) await lab.say(text, sessionId)
  expect(await lab.sessions.abort(sessionId, undefined, { pauseQueue: true })).toEqual({ aborted: true })
  return { sessionId }
}

test('QU-2 AB-1 an abort that pauses the queue starts nothing, and the next message continues it in order', async () => {
  await using lab = await openCoreLab()
  const { sessionId } = await openStopped(lab, 'Two', 'Three')
  expect(await waiting(lab, sessionId)).toEqual(['Two', 'Three'])
  expect(await lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items.at(-1)?.metadata).toMatchObject({ finishReason: 'aborted', pausedQueue: true })
  lab.provider.otherwise(reply({ text: 'ok' }))
  expect(await lab.say('Four', sessionId)).toMatchObject({ queued: true })
  await emptied(lab, sessionId)
  expect(await questions(lab, sessionId)).toEqual(['One', 'Two', 'Three', 'Four'])
})

test('QU-2 QU-4 a queue that was stopped with its run waits on the next host too', async () => {
  await using lab = await openCoreLab()
  const { sessionId } = await openStopped(lab, 'Two')
  await lab.core.shutdown(1_000)
  await using next = await openCoreLab({ store: lab.ports.store })
  await next.core.recover()
  await next.core.continueQueues()
  expect(next.core.activeRuns).toBe(0)
  expect(await waiting(next, sessionId)).toEqual(['Two'])
})

test('QU-2 a queued message that is sent now continues a queue that was stopped', async () => {
  await using lab = await openCoreLab()
  const { sessionId } = await openStopped(lab, 'Two', 'Three')
  lab.provider.otherwise(reply({ text: 'ok' }))
  const [first] = await lab.sessions.queue.list(sessionId)
  await lab.sessions.queue.promote(sessionId, first?.id ?? '')
  await emptied(lab, sessionId)
  expect(await questions(lab, sessionId)).toEqual(['One', 'Two', 'Three'])
})
