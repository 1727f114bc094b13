import { contentsOf, type HistoryLab, openHistoryLab, textOf } from '@palimpsest/testing/history-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'

async function openTalk(lab: HistoryLab) {
  const { id: sessionId } = await lab.sessions.create({ title: 'Talk', metadata: { topic: 'stars' } })
  for (const question of ['One', 'Two', 'Three']) await lab.turn(question, sessionId)
  return { sessionId, messages: await lab.visible(sessionId) }
}

const shape = (messages: { role: string; parts: unknown[] }[]) =>
  messages.map(({ role, parts }) => ({ role, parts }))

test('BR-1 BR-3 a branch holds copies of what is visible up to a message, and the settings of its parent', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, messages } = await openTalk(lab)
  const parent = await lab.session(sessionId)
  const from = messages[3]?.id ?? ''
  const branch = await lab.sessions.history.branch({
    sessionId,
    fromMessageId: from,
    metadata: { mood: 'bold' },
    model: { providerId: 'lab', modelId: 'large' },
  })
  expect(branch).toMatchObject({
    parentId: sessionId,
    parentMessageId: from,
    agent: parent.agent,
    model: { modelId: 'large' },
    metadata: { topic: 'stars', mood: 'bold' },
  })
  const copies = await lab.visible(branch.id)
  expect(shape(copies)).toEqual(shape(messages.slice(0, 4)))
  const ids = new Set(messages.map(({ id }) => id))
  expect(copies.some(({ id }) => ids.has(id))).toBe(false)
  const view = await lab.session(branch.id)
  expect(view.contextWindow).toMatchObject({
    used: messages[3]?.metadata?.window?.tokens,
    limit: 200_000,
    estimated: false,
  })
  expect(view.totalTokens).toBeLessThan(parent.totalTokens)
  expect(lab.events.filter(({ type }) => type === 'branch')).toMatchObject([
    { sessionId, branch: { id: branch.id } },
  ])
  expect(await lab.visible(sessionId)).toEqual(messages)
})

test('BR-1 a turn in a branch changes nothing in its parent', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, messages } = await openTalk(lab)
  const fromMessageId = messages[1]?.id ?? ''
  const branch = await lab.sessions.history.branch({ sessionId, fromMessageId })
  await lab.turn('Otherwise', branch.id)
  expect(contentsOf(lab.steps.at(-1)?.body ?? {}).slice(1)).toEqual([
    'user: One',
    'assistant: Well.',
    'user: Otherwise',
  ])
  expect(await lab.visible(sessionId)).toEqual(messages)
})

test('BR-1 a hidden message can be branched from: its branch holds what was visible with it', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, messages } = await openTalk(lab)
  await lab.sessions.history.rewind({ sessionId, messageId: messages[0]?.id ?? '' })
  await lab.turn('Another way', sessionId)
  const branch = await lab.sessions.history.branch({ sessionId, fromMessageId: messages[3]?.id ?? '' })
  expect((await lab.visible(branch.id)).map(textOf)).toEqual(['One', 'Well.', 'Two', 'Well.'])
})

test('BR-2 a branch from anything but a message of the session is refused', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await openTalk(lab)
  const branching = lab.sessions.history.branch({ sessionId, fromMessageId: 'msg_none' })
  await expect(branching).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND', field: 'fromMessageId' })
})

test('BR-4 branches to any depth are one family, with the way from its root', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, messages } = await openTalk(lab)
  const { history } = lab.sessions
  const a = await history.branch({ sessionId, fromMessageId: messages[1]?.id ?? '' })
  const b = await history.branch({ sessionId, fromMessageId: messages[3]?.id ?? '' })
  const inA = (await lab.visible(a.id)).at(-1)?.id ?? ''
  const deep = await history.branch({ sessionId: a.id, fromMessageId: inA })
  const tree = await history.tree(deep.id)
  expect(tree).toMatchObject({
    current: deep.id,
    ancestors: [sessionId, a.id],
    siblings: [],
    children: [],
    root: {
      session: { id: sessionId },
      forkMessageId: null,
      children: [
        { session: { id: a.id }, forkMessageId: messages[1]?.id, children: [{ session: { id: deep.id } }] },
        { session: { id: b.id }, children: [] },
      ],
    },
  })
  expect(await history.tree(a.id)).toMatchObject({
    ancestors: [sessionId],
    siblings: [b.id],
    children: [deep.id],
  })
})

test('SC-1 a sidecar is a branch outside the default lists, and can be kept or discarded', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, messages } = await openTalk(lab)
  const fromMessageId = messages.at(-1)?.id ?? ''
  const aside = () => lab.sessions.history.branch({ sessionId, fromMessageId, metadata: { ephemeral: true } })
  const kept = await aside()
  const discarded = await aside()
  await lab.turn('By the way', kept.id)
  const listed = async () => (await lab.sessions.list({})).items.map(({ id }) => id)
  expect(await listed()).toEqual([sessionId])
  expect((await lab.sessions.history.keep(kept.id)).metadata).toEqual({
    topic: 'stars',
    titledBy: 'first-words',
  })
  await lab.sessions.delete(discarded.id)
  expect((await listed()).sort()).toEqual([sessionId, kept.id].sort())
  expect(await lab.visible(sessionId)).toEqual(messages)
  await expect(lab.sessions.history.keep(kept.id)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('SC-1 a sidecar that is discarded during its run is deleted, and its parent is unchanged', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, messages } = await openTalk(lab)
  const fromMessageId = messages.at(-1)?.id ?? ''
  const parent = await lab.session(sessionId)
  const aside = await lab.sessions.history.branch({ sessionId, fromMessageId, metadata: { ephemeral: true } })
  const listed = async () => (await lab.sessions.list({ ephemeral: true })).items.map(({ id }) => id)
  expect((await listed()).sort()).toEqual([sessionId, aside.id].sort())
  lab.provider.script(reply({ text: ['Half'], ending: 'stall' }))
  const count = lab.provider.requests.length
  await lab.say('By the way', aside.id)
  await lab.provider.received(count)
  await lab.sessions.delete(aside.id)
  expect((await lab.provider.closed(count)).by).toBe('client')
  await expect(lab.session(aside.id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  expect(await listed()).toEqual([sessionId])
  expect((await lab.sessions.history.tree(sessionId)).children).toEqual([])
  expect(await lab.session(sessionId)).toEqual(parent)
  expect(await lab.visible(sessionId)).toEqual(messages)
})

test('SC-1 a branch of a sidecar is an ordinary one unless it asks not to be', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, messages } = await openTalk(lab)
  const fromMessageId = messages.at(-1)?.id ?? ''
  const { history } = lab.sessions
  const aside = await history.branch({ sessionId, fromMessageId, metadata: { ephemeral: true } })
  const last = (await lab.visible(aside.id)).at(-1)?.id ?? ''
  const branch = await history.branch({ sessionId: aside.id, fromMessageId: last })
  expect(branch.metadata).toEqual({ topic: 'stars', titledBy: 'parent' })
})
