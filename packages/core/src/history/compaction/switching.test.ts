import { counted, type HistoryLab, openHistoryLab, textOf, words } from '@palimpsest/testing/history-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../domain/session/event.ts'

const SMALL = { providerId: 'lab', modelId: 'small' }
const TINY = { providerId: 'lab', modelId: 'tiny' }
const ROOMY = { providerId: 'lab', modelId: 'roomy' }
const isSettled = (event: SessionEvent) => event.type === 'message-settled'
const isFailed = (event: SessionEvent) => event.type === 'status' && event.status.state === 'error'

type Chosen = { providerId: string; modelId: string; variant?: string }

async function sendTo(lab: HistoryLab, sessionId: string, text: string, model?: Chosen) {
  const message = { parts: [{ type: 'text' as const, text }] }
  return await lab.sessions.send({ sessionId, message, ...(model && { model }) })
}

/** Sends, and waits for the end of the run. */
async function answered(lab: HistoryLab, sessionId: string, text: string, model?: Chosen) {
  const { runId = '' } = await sendTo(lab, sessionId, text, model)
  await lab.chunksOf(sessionId, runId)
}

/** A conversation that takes about so many tokens, in three turns. */
async function openTalk(lab: HistoryLab, tokens: number) {
  const { id: sessionId } = await lab.sessions.create({ title: 'Talk', model: ROOMY })
  for (const name of ['one', 'two', 'three']) await answered(lab, sessionId, words(tokens / 3, name))
  return sessionId
}

/** A run that lasts until `finish` is called. */
async function openBusy(lab: HistoryLab) {
  const { id: sessionId } = await lab.sessions.create({ title: 'Talk', model: ROOMY })
  const gate = Promise.withResolvers<void>()
  const count = lab.provider.requests.length
  lab.provider.script(reply({ text: ['First', ' reply'], hold: { before: 1, until: gate.promise } }))
  await sendTo(lab, sessionId, 'One')
  await lab.provider.received(count)
  return { sessionId, finish: () => gate.resolve() }
}

async function askedOf(lab: HistoryLab, sessionId: string) {
  const visible = await lab.visible(sessionId)
  return visible.filter(({ role }) => role === 'user').map(({ metadata }) => metadata?.model)
}

test('MO-3 a model that the conversation fits is switched to without a compaction', async () => {
  await using lab = await openHistoryLab()
  const sessionId = await openTalk(lab, 900)
  expect(await lab.sessions.history.fit({ sessionId, model: SMALL })).toMatchObject({ outcome: 'fits' })
  await answered(lab, sessionId, 'Four', SMALL)
  expect(lab.summaries).toEqual([])
  expect(await lab.session(sessionId)).toMatchObject({ model: SMALL, contextWindow: { limit: 2_900 } })
})

test('MO-3 a conversation that does not fit is summarised first, and then continues with the new model', async () => {
  await using lab = await openHistoryLab()
  const sessionId = await openTalk(lab, 2_400)
  expect(await lab.sessions.history.fit({ sessionId, model: SMALL })).toMatchObject({ outcome: 'compacts' })
  await answered(lab, sessionId, 'Four', SMALL)
  expect(lab.summaries).toHaveLength(1)
  const { model, contextWindow } = await lab.session(sessionId)
  expect(model).toEqual(SMALL)
  expect(contextWindow.used).toBeLessThan(contextWindow.usable ?? 0)
  const kinds = (await lab.sessions.history.timeline(sessionId)).map(({ kind }) => kind)
  expect(kinds).toEqual(['switch', 'compaction'])
})

test('MO-3 where it fits in no way nothing changes, and a branch with that model is suggested', async () => {
  await using lab = await openHistoryLab()
  const sessionId = await openTalk(lab, 4_800)
  const before = await lab.session(sessionId)
  const messages = await lab.everything(sessionId)
  expect(await lab.sessions.history.fit({ sessionId, model: TINY })).toMatchObject({ outcome: 'too-small' })
  await expect(sendTo(lab, sessionId, 'Four', TINY)).rejects.toMatchObject({
    code: 'MODEL_TOO_SMALL',
    field: 'model',
    message: expect.stringContaining('Branch'),
  })
  const [last] = messages.filter(({ role }) => role === 'user').slice(-1)
  await expect(
    lab.sessions.resend({ sessionId, messageId: last?.id ?? '', model: TINY }),
  ).rejects.toMatchObject({ code: 'MODEL_TOO_SMALL' })
  expect(await lab.session(sessionId)).toEqual(before)
  expect(await lab.everything(sessionId)).toEqual(messages)
  expect(await lab.sessions.history.timeline(sessionId)).toEqual([])
})

test('MO-3 a lately made summary is no reason to refuse a switch', async () => {
  await using lab = await openHistoryLab({}, { compaction: { min_turns_between: 9 } })
  const sessionId = await openTalk(lab, 2_400)
  await lab.sessions.history.compact(sessionId)
  for (const name of ['four', 'five']) await answered(lab, sessionId, words(900, name))
  await answered(lab, sessionId, 'Six', SMALL)
  expect(lab.summaries).toHaveLength(2)
  expect(await lab.session(sessionId)).toMatchObject({ model: SMALL })
})

test('MO-3 a queued message is checked when it fires, and stays queued where it cannot fit', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, finish } = await openBusy(lab)
  const { messageId } = await sendTo(lab, sessionId, words(1_500), TINY)
  const failed = lab.event((event): event is SessionEvent => isFailed(event))
  finish()
  await failed
  expect(await lab.session(sessionId)).toMatchObject({
    model: ROOMY,
    status: { state: 'error', code: 'MODEL_TOO_SMALL', message: expect.stringContaining('Branch') },
  })
  expect(await lab.sessions.queue.list(sessionId)).toMatchObject([{ id: messageId }])
  expect(await askedOf(lab, sessionId)).toEqual([ROOMY])
  await lab.sessions.queue.edit({ sessionId, messageId, model: ROOMY })
  const settled = lab.event((event): event is SessionEvent => isSettled(event))
  await lab.sessions.queue.promote(sessionId, messageId)
  await settled
  expect(await askedOf(lab, sessionId)).toEqual([ROOMY, ROOMY])
})

test('MO-1 a queued message without a model takes the session’s model when it fires', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, finish } = await openBusy(lab)
  await sendTo(lab, sessionId, 'Two', { ...SMALL, variant: 'high' })
  await sendTo(lab, sessionId, 'Three')
  expect((await lab.sessions.queue.list(sessionId)).map(({ metadata }) => metadata?.model)).toEqual([
    { ...SMALL, variant: 'high' },
    undefined,
  ])
  const ends = lab.event((event): event is SessionEvent => isSettled(event))
  finish()
  await ends
  for (let next = 0; next < 2; next++) await lab.event((event): event is SessionEvent => isSettled(event))
  expect(await askedOf(lab, sessionId)).toEqual([ROOMY, { ...SMALL, variant: 'high' }, SMALL])
  expect(await lab.session(sessionId)).toMatchObject({ model: SMALL })
})

test('MO-2 a variant lasts for its turn, and a session’s own for its first', async () => {
  await using lab = await openHistoryLab()
  const model = { ...ROOMY, variant: 'low' }
  const { id: sessionId } = await lab.sessions.create({ title: 'Talk', model })
  await answered(lab, sessionId, 'One')
  await answered(lab, sessionId, 'Two')
  await answered(lab, sessionId, 'Three', { ...ROOMY, variant: 'high' })
  await answered(lab, sessionId, 'Four')
  expect(await askedOf(lab, sessionId)).toEqual([model, ROOMY, { ...ROOMY, variant: 'high' }, ROOMY])
  // Another variant is no other model: nothing is switched.
  expect(await lab.sessions.history.timeline(sessionId)).toEqual([])
})

test('MO-3 a switch with an edited message is judged by what will be left', async () => {
  await using lab = await openHistoryLab()
  const sessionId = await openTalk(lab, 4_800)
  const [first] = (await lab.visible(sessionId)).filter(({ role }) => role === 'user')
  lab.provider.script((request) => counted(request, { text: 'Short.' }))
  const { runId = '' } = await lab.sessions.send({
    sessionId,
    message: { parts: [{ type: 'text', text: 'Anew' }] },
    model: TINY,
    replaceMessageId: first?.id ?? '',
  })
  await lab.chunksOf(sessionId, runId)
  expect((await lab.visible(sessionId)).map(textOf)).toEqual(['Anew', 'Short.'])
  expect(await lab.session(sessionId)).toMatchObject({ model: TINY })
})
