import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import type { ChatPart } from '../domain/message/message.ts'

const say = (text: string, id?: string) => ({
  ...(id !== undefined && { id }),
  parts: [{ type: 'text' as const, text }],
})
const M2 = { providerId: 'lab', modelId: 'm2' }

test('ID-2 a message sent again, also after its run, is answered as the first time', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  const { id: sessionId } = await lab.sessions.create({})
  const first = await lab.sessions.send({ sessionId, message: say('Hi', 'msg_mine') })
  expect(first).toMatchObject({ messageId: 'msg_mine', queued: false })
  expect(await lab.sessions.send({ sessionId, message: say('Hi', 'msg_mine') })).toEqual(first)
  await lab.chunksOf(sessionId, first.runId ?? '')
  expect(await lab.sessions.send({ sessionId, message: say('Hi', 'msg_mine') })).toEqual(first)
  expect((await lab.sessions.messages({ sessionId })).items).toHaveLength(2)
  expect(lab.steps).toHaveLength(1)
})

test('ID-2 a message sent many times at once is one message, one run', async () => {
  await using lab = await openCoreLab()
  lab.provider.otherwise(reply({ text: ['Hm'], ending: 'stall' }))
  const { id: sessionId } = await lab.sessions.create({})
  const sends = Array.from({ length: 8 }, () =>
    lab.sessions.send({ sessionId, message: say('Hi', 'msg_mine') }),
  )
  const answers = await Promise.all(sends)
  for (const answer of answers) expect(answer.messageId).toBe('msg_mine')
  expect(
    (await lab.sessions.messages({ sessionId })).items.filter(({ role }) => role === 'user'),
  ).toHaveLength(1)
  expect(await lab.sessions.queue.list(sessionId)).toEqual([])
  expect(lab.core.activeRuns).toBe(1)
})

test('ID-2 the same id with other content is a conflict and changes nothing', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  const { id: sessionId } = await lab.sessions.create({})
  const { runId } = await lab.sessions.send({ sessionId, message: say('Hi', 'msg_mine') })
  await lab.chunksOf(sessionId, runId ?? '')
  const again = lab.sessions.send({ sessionId, message: say('Something else', 'msg_mine') })
  await expect(again).rejects.toMatchObject({ code: 'CONFLICT', field: 'message.id' })
  const elsewhere = await lab.sessions.create({})
  const stolen = lab.sessions.send({ sessionId: elsewhere.id, message: say('Something else', 'msg_mine') })
  await expect(stolen).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await lab.sessions.messages({ sessionId: elsewhere.id })).items).toEqual([])
  expect(await lab.sessions.status(elsewhere.id)).toEqual({ state: 'idle' })
})

test('ID-2 a session created again with the same content is the session that is there', async () => {
  await using lab = await openCoreLab()
  const first = await lab.sessions.create({ id: 'ses_mine', title: 'Mine' })
  expect(await lab.sessions.create({ id: 'ses_mine', title: 'Mine' })).toEqual(first)
  await expect(lab.sessions.create({ id: 'ses_mine', title: 'Yours' })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
})

test('MO-1 the model of a message wins over the session’s, and carries on until changed', async () => {
  await using lab = await openCoreLab()
  lab.provider.otherwise(() => reply({ text: 'Done' }))
  const { sessionId, messages } = await lab.turn('One')
  const sent = await lab.sessions.send({ sessionId, message: say('Two'), model: M2 })
  await lab.chunksOf(sessionId, sent.runId ?? '')
  const third = await lab.turn('Three', sessionId)
  expect(lab.steps.map(({ body }) => body['model'])).toEqual(['m1', 'm2', 'm2'])
  expect((await lab.sessions.get(sessionId)).model).toEqual(M2)
  expect(third.messages.map(({ metadata }) => metadata?.model?.modelId)).toEqual([
    'm1',
    'm1',
    'm2',
    'm2',
    'm2',
    'm2',
  ])
  const { runId } = await lab.sessions.resend({ sessionId, messageId: messages[0]?.id ?? '' })
  await lab.chunksOf(sessionId, runId)
  expect(lab.steps.at(-1)?.body['model']).toBe('m1')
})

test('MO-1 a session without a model gets the default of the catalogue', async () => {
  await using lab = await openCoreLab()
  expect((await lab.sessions.create({})).model).toEqual({ providerId: 'lab', modelId: 'm1' })
  expect((await lab.sessions.create({ model: M2 })).model).toEqual(M2)
})

test('MO-1 a queued message keeps the model it was sent with', async () => {
  await using lab = await openCoreLab()
  const gate = Promise.withResolvers<void>()
  lab.provider.script(
    reply({ text: ['One', '!'], hold: { before: 1, until: gate.promise } }),
    reply({ text: 'Two' }),
  )
  const { id: sessionId } = await lab.sessions.create({ title: 'Named' })
  await lab.say('Go', sessionId)
  await lab.sessions.send({ sessionId, message: say('With the other'), model: M2 })
  gate.resolve()
  await lab.provider.received(1)
  expect(lab.steps[1]?.body['model']).toBe('m2')
})

const file = (url: string): ChatPart => ({ type: 'file', mediaType: 'text/plain', url })
const bad: { name: string; parts: ChatPart[]; field: string }[] = [
  { name: 'no part', parts: [], field: 'message.parts' },
  { name: 'nothing but space', parts: [{ type: 'text', text: ' \n' }], field: 'message.parts' },
  {
    name: 'too many parts',
    parts: Array.from({ length: 65 }, () => ({ type: 'text', text: 'x' })),
    field: 'message.parts',
  },
  { name: 'too much text', parts: [{ type: 'text', text: 'x'.repeat(1_000_001) }], field: 'message.parts' },
  {
    name: 'too many files',
    parts: Array.from({ length: 11 }, () => file('data:,a')),
    field: 'message.parts',
  },
  { name: 'a file from elsewhere', parts: [file('https://example.com/a')], field: 'message.parts.0.url' },
  { name: 'too large a file', parts: [file(`data:,${'x'.repeat(1_400_000)}`)], field: 'message.parts.0.url' },
  {
    name: 'a part of an assistant',
    parts: [{ type: 'reasoning', text: 'Hm' }],
    field: 'message.parts.0.type',
  },
]

test.for(bad)(
  'SV-5 a message with $name is refused with its field, and nothing is written',
  async ({ parts, field }) => {
    await using lab = await openCoreLab()
    const { id: sessionId } = await lab.sessions.create({})
    const sent = lab.sessions.send({ sessionId, message: { parts } })
    await expect(sent).rejects.toMatchObject({ code: 'INVALID_INPUT', field })
    expect((await lab.sessions.messages({ sessionId })).items).toEqual([])
    expect(await lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
  },
)

test('SV-5 a send that names something unknown is refused with its code', async () => {
  await using lab = await openCoreLab()
  const { id: sessionId } = await lab.sessions.create({})
  const send = (more: object) => lab.sessions.send({ sessionId, message: say('Hi'), ...more })
  await expect(send({ sessionId: 'ses_unknown' })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  await expect(send({ model: { providerId: 'none', modelId: 'x' } })).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
    field: 'model',
  })
  await expect(send({ agent: 'nobody' })).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'agent' })
  await expect(send({ replaceMessageId: 'msg_unknown' })).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
  await expect(send({ message: say('Hi', 'bad id!') })).rejects.toMatchObject({ field: 'message.id' })
  await lab.sessions.archive(sessionId)
  await expect(send({})).rejects.toMatchObject({ code: 'SESSION_ARCHIVED' })
  expect((await lab.sessions.messages({ sessionId })).items).toEqual([])
  expect(lab.core.activeRuns).toBe(0)
})

test('SV-5 more messages than may wait are refused, and those that wait stay', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: ['Hm'], ending: 'stall' }))
  const { sessionId } = await lab.say('Go')
  for (let count = 0; count < 100; count++) await lab.say(`Message ${count}`, sessionId)
  await expect(lab.say('One too many', sessionId)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(await lab.sessions.queue.list(sessionId)).toHaveLength(100)
})

test('SV-1 an edited message hides what it replaces, and the event names the operation', async () => {
  await using lab = await openCoreLab()
  lab.provider.otherwise(() => reply({ text: 'Done' }))
  const { sessionId, messages } = await lab.turn('Old words')
  const published = lab.event(
    (event): event is Extract<typeof event, { type: 'message-hidden' }> => event.type === 'message-hidden',
  )
  const replaceMessageId = messages[0]?.id ?? ''
  const { runId } = await lab.sessions.send({ sessionId, message: say('New words'), replaceMessageId })
  await lab.chunksOf(sessionId, runId ?? '')
  const { hiddenBy, messageIds } = await published
  expect(messageIds).toEqual(messages.map(({ id }) => id))
  const all = (await lab.sessions.messages({ sessionId, hidden: true })).items
  expect(all.map(({ metadata }) => metadata?.hiddenBy)).toEqual([hiddenBy, hiddenBy, undefined, undefined])
  expect(JSON.stringify(lab.steps.at(-1)?.body['messages'])).not.toContain('Old words')
})

test('SV-7 a session archived during a run lets the turn finish, and then takes no more', async () => {
  await using lab = await openCoreLab()
  const gate = Promise.withResolvers<void>()
  lab.provider.script(reply({ text: ['One', ' two'], hold: { before: 1, until: gate.promise } }))
  const { sessionId, runId } = await lab.say('Go')
  await lab.sessions.archive(sessionId)
  gate.resolve()
  await lab.chunksOf(sessionId, runId)
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items[1]?.parts.at(-1)).toMatchObject({ text: 'One two', state: 'done' })
  await expect(lab.say('More', sessionId)).rejects.toMatchObject({ code: 'SESSION_ARCHIVED' })
  await lab.sessions.unarchive(sessionId)
  lab.provider.script(reply({ text: 'Back' }))
  await lab.turn('More', sessionId)
})
