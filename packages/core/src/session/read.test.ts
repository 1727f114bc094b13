import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'

test('SV-6 a view shows state apart from billing, and reading never waits for a run', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: ['One'], ending: 'stall' }))
  const { sessionId, runId } = await lab.say('Go')
  const view = await lab.sessions.get(sessionId)
  expect(view).toMatchObject({
    status: { state: 'busy', runId },
    usage: { totalTokens: 0, costUsd: null },
    contextWindow: { limit: 128_000 },
    activeRun: { runId },
    canUnrewind: false,
  })
  expect(await lab.sessions.list({})).toMatchObject({ items: [{ id: sessionId }], nextCursor: null })
  expect((await lab.sessions.messages({ sessionId })).items.length).toBeGreaterThan(0)
  expect(view.activeRun?.messageId).toMatch(/^msg_/)
})

test('SY-1 SY-2 a turn’s exact prompt can be shown, and equal turns are given equal bytes', async () => {
  await using lab = await openCoreLab()
  lab.provider.otherwise(() => reply({ text: 'Done' }))
  const { sessionId } = await lab.turn('One')
  const { messages } = await lab.turn('Two', sessionId)
  const [first, second] = messages.filter(({ role }) => role === 'assistant')
  const prompt = await lab.sessions.systemPrompt(sessionId, first?.id ?? '')
  expect(prompt.digest).toBe(first?.metadata?.systemPromptDigest)
  expect(prompt).toEqual(await lab.sessions.systemPrompt(sessionId, second?.id ?? ''))
  const sent = lab.steps.map(({ body }) => (Array.isArray(body['messages']) ? body['messages'][0] : null))
  expect(sent).toEqual([
    { role: 'system', content: prompt.body },
    { role: 'system', content: prompt.body },
  ])
  expect(prompt.body).toMatch(/# Environment[\s\S]*# Tools\ntodo, read, write, /)
})

test('SY-2 a message without a prompt has none to show', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  const { sessionId, messages } = await lab.turn('One')
  const ofUser = lab.sessions.systemPrompt(sessionId, messages[0]?.id ?? '')
  await expect(ofUser).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
})

test('SV-5 reads name the field that is out of bounds, and what is unknown', async () => {
  await using lab = await openCoreLab()
  const { sessions } = lab
  const { id: sessionId } = await sessions.create({})
  for (const limit of [0, 201, 1.5, Number.NaN]) {
    await expect(sessions.list({ limit })).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'limit' })
    await expect(sessions.messages({ sessionId, limit })).rejects.toMatchObject({ field: 'limit' })
  }
  await expect(sessions.list({ cursor: 'nonsense' })).rejects.toMatchObject({ field: 'cursor' })
  await expect(sessions.search({ text: 'x'.repeat(201) })).rejects.toMatchObject({ field: 'text' })
  await expect(sessions.rename(sessionId, ' ')).rejects.toMatchObject({ field: 'title' })
  await expect(sessions.create({ id: 'a b' })).rejects.toMatchObject({ field: 'id' })
  const metadata = { note: 'x'.repeat(20_000) }
  await expect(sessions.create({ metadata })).rejects.toMatchObject({ field: 'metadata' })
  const unknown = [
    sessions.get('ses_unknown'),
    sessions.messages({ sessionId: 'ses_unknown' }),
    sessions.status('ses_unknown'),
    sessions.rename('ses_unknown', 'x'),
    sessions.archive('ses_unknown'),
    sessions.delete('ses_unknown'),
    sessions.continue('ses_unknown'),
    sessions.queue.list('ses_unknown'),
    sessions.resend({ sessionId: 'ses_unknown', messageId: 'msg_unknown' }),
    sessions.search({ text: 'x', sessionId: 'ses_unknown' }),
  ]
  for (const answer of unknown) await expect(answer).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
})

test('SV-1 lists and searches find messages', async () => {
  await using lab = await openCoreLab()
  lab.provider.otherwise(() => reply({ text: 'The heron stands still' }))
  const { sessionId } = await lab.turn('Birds')
  expect((await lab.sessions.search({ text: 'her' })).items).toMatchObject([{ sessionId, role: 'assistant' }])
  expect((await lab.sessions.search({ text: '  ' })).items).toEqual([])
  expect((await lab.sessions.list({ search: 'heron' })).items).toMatchObject([{ id: sessionId }])
  expect((await lab.sessions.list({ search: 'stork' })).items).toEqual([])
})

test('SV-2 agents are built in one place, and a session keeps the one it was opened with', async () => {
  await using lab = await openCoreLab()
  expect((await lab.sessions.create({})).agent).toBe('assistant')
  await expect(lab.sessions.create({ agent: 'nobody' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'agent',
  })
})

test('SV-1 every change of a session is published to listeners of all sessions', async () => {
  await using lab = await openCoreLab()
  const types: string[] = []
  using _watching = lab.ports.events.subscribe(null, ({ type }) => types.push(type))
  const { id } = await lab.sessions.create({})
  await lab.sessions.create({ id })
  await lab.sessions.rename(id, 'Mine')
  await lab.sessions.archive(id)
  await lab.sessions.delete(id)
  expect(types).toEqual(['session-created', 'title', 'session-changed', 'session-changed', 'session-deleted'])
})

test('MO-4 the catalogue is returned with its default', async () => {
  await using lab = await openCoreLab()
  expect(await lab.sessions.models()).toMatchObject({
    models: [{ modelId: 'm1', contextLimit: 128_000 }],
    defaultModel: { providerId: 'lab', modelId: 'm1' },
  })
})

test('UI-30 a link is located by its message, in the bin too, else by its chat', async () => {
  await using lab = await openCoreLab()
  const { sessions } = lab
  lab.provider.otherwise(() => reply({ text: 'Done' }))
  const { sessionId, messages } = await lab.turn('One')
  const { id: other } = await sessions.create({ title: 'Other' })
  const messageId = messages[0]?.id ?? ''
  const located = async (input: { sessionId: string; messageId?: string }) => {
    const found = await sessions.locate(input)
    return found && [found.found, found.session.id, found.session.deletedAt === null]
  }
  expect(await located({ sessionId: other, messageId })).toEqual(['message', sessionId, true])
  expect(await located({ sessionId: 'ses_nowhere', messageId })).toEqual(['message', sessionId, true])
  expect(await located({ sessionId: other, messageId: 'msg_nowhere' })).toEqual(['session', other, true])
  expect(await located({ sessionId: other })).toEqual(['session', other, true])
  await sessions.delete(sessionId)
  expect(await located({ sessionId: other, messageId })).toEqual(['message', sessionId, false])
  expect(await located({ sessionId })).toEqual(['session', sessionId, false])
  // An id of the other kind leads nowhere.
  expect(await located({ sessionId: messageId })).toBeNull()
  expect(await located({ sessionId: 'ses_nowhere', messageId: other })).toBeNull()
})
