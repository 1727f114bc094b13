import {
  contentsOf,
  counted,
  type HistoryLab,
  lastRequest,
  openHistoryLab,
  openTalk,
  textOf,
  trueMeter,
  words,
} from '@palimpsest/testing/history-lab.ts'
import { failure } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../tool/tool.ts'

const texts = async (lab: HistoryLab, sessionId: string) => (await lab.visible(sessionId)).map(textOf)
const idsOf = async (lab: HistoryLab, sessionId: string) => (await lab.visible(sessionId)).map(({ id }) => id)
const canUnrewind = async (lab: HistoryLab, sessionId: string) => (await lab.session(sessionId)).canUnrewind

async function edit(lab: HistoryLab, sessionId: string, replaceMessageId: string, text: string) {
  const message = { parts: [{ type: 'text' as const, text }] }
  const { runId = '' } = await lab.sessions.send({ sessionId, message, replaceMessageId })
  await lab.chunksOf(sessionId, runId)
}

/** A session without a reply to its last question, which nothing has hidden. */
async function openUnanswered(lab: HistoryLab) {
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two'])
  const branch = await lab.sessions.history.branch({ sessionId, fromMessageId: ids[1] ?? '' })
  const [one = '', , two = ''] = await idsOf(lab, branch.id)
  return { sessionId: branch.id, one, two }
}

test('RW-1 a rewind to a hidden message goes over to the timeline that it is on', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two', 'Three'])
  await edit(lab, sessionId, ids[1] ?? '', 'Other')
  await lab.turn('Other still', sessionId)
  const result = await lab.sessions.history.rewind({ sessionId, messageId: ids[2] ?? '' })
  expect(result).toMatchObject({ hidden: 4, restored: 3 })
  expect(await texts(lab, sessionId)).toEqual(['One', 'Well.', 'Two', 'Well.', 'Three'])
  await trueMeter(lab, sessionId)
  await lab.sessions.history.unrewind({ sessionId })
  expect(await texts(lab, sessionId)).toEqual(['One', 'Well.', 'Other', 'Well.', 'Other still', 'Well.'])
  await trueMeter(lab, sessionId)
})

test('RW-1 a rewind to the first message leaves it alone, and a second one changes nothing', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two'])
  const before = await lab.visible(sessionId)
  const rewind = () => lab.sessions.history.rewind({ sessionId, messageId: ids[0] ?? '' })
  expect(await rewind()).toMatchObject({ hidden: 3, restored: 0 })
  expect(await rewind()).toMatchObject({ hidden: 0, restored: 0 })
  expect(await texts(lab, sessionId)).toEqual(['One'])
  await trueMeter(lab, sessionId)
  expect(await lab.sessions.history.unrewind({ sessionId })).toMatchObject({ hidden: 0, restored: 3 })
  expect(await lab.visible(sessionId)).toEqual(before)
})

test('RW-3 successive rewinds are undone one by one', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two', 'Three'])
  const views = [await idsOf(lab, sessionId)]
  for (const messageId of ids.toReversed()) {
    await lab.sessions.history.rewind({ sessionId, messageId })
    views.push(await idsOf(lab, sessionId))
  }
  for (const view of views.toReversed().slice(1)) {
    expect(await canUnrewind(lab, sessionId)).toBe(true)
    await lab.sessions.history.unrewind({ sessionId })
    expect(await idsOf(lab, sessionId)).toEqual(view)
    await trueMeter(lab, sessionId)
  }
  expect(await canUnrewind(lab, sessionId)).toBe(false)
})

test('RW-3 un-rewind after an edited message brings the original back, and the edited one in turn', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two', 'Three'])
  const original = await lab.visible(sessionId)
  await edit(lab, sessionId, ids[1] ?? '', 'Two, but better')
  const edited = await lab.visible(sessionId)
  for (const view of [original, edited, original]) {
    expect(await canUnrewind(lab, sessionId)).toBe(true)
    await lab.sessions.history.unrewind({ sessionId })
    expect(await lab.visible(sessionId)).toEqual(view)
    await trueMeter(lab, sessionId)
  }
  await lab.turn('Four', sessionId)
  expect(lastRequest(lab).filter((line) => line.startsWith('user'))).toEqual([
    'user: One',
    'user: Two',
    'user: Three',
    'user: Four',
  ])
})

test('RW-2 the first message can be edited, and an un-rewind shows its old turns again', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two'])
  await edit(lab, sessionId, ids[0] ?? '', 'A better one')
  expect(lastRequest(lab)).toEqual(['user: A better one'])
  await lab.sessions.history.unrewind({ sessionId })
  expect(await texts(lab, sessionId)).toEqual(['One', 'Well.', 'Two', 'Well.'])
})

test('RW-3 un-rewind past a compaction hides its summary and shows what it replaced', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, [words(900, 'old'), 'Two', 'Three', 'Four'])
  const before = await lab.visible(sessionId)
  await lab.sessions.history.rewind({ sessionId, messageId: ids[3] ?? '' })
  await lab.turn('Instead', sessionId)
  await lab.sessions.history.compact(sessionId)
  const compacted = await lab.visible(sessionId)
  expect(await canUnrewind(lab, sessionId)).toBe(true)
  await lab.sessions.history.unrewind({ sessionId })
  await lab.sessions.history.unrewind({ sessionId })
  await trueMeter(lab, sessionId)
  // What was sent in the message's place began with a rewind of its own: two of them lead back.
  const first = (await lab.sessions.history.timeline(sessionId)).at(-1)
  await lab.sessions.history.unrewind({ sessionId, operationId: first?.id ?? '' })
  expect(await lab.visible(sessionId)).toEqual(before)
  await trueMeter(lab, sessionId)
  await lab.sessions.history.unrewind({ sessionId })
  await lab.sessions.history.unrewind({ sessionId })
  expect((await lab.everything(sessionId)).length).toBe(compacted.length + 6)
})

test('RW-3 canUnrewind is true exactly when an un-rewind is possible', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, one, two } = await openUnanswered(lab)
  const { history } = lab.sessions
  const agrees = async () => {
    const said = await canUnrewind(lab, sessionId)
    const timeline = await history.timeline(sessionId)
    const undoable = timeline.some(({ kind, canUndo }) => canUndo && kind.endsWith('rewind'))
    expect(undoable).toBe(said)
    if (!said) await expect(history.unrewind({ sessionId })).rejects.toMatchObject({ code: 'CONFLICT' })
    return said
  }
  expect(await agrees()).toBe(false)
  await history.rewind({ sessionId, messageId: one })
  expect(await agrees()).toBe(true)
  // Forward again: everything is shown, nothing is hidden, and the last step can still be taken back.
  await history.rewind({ sessionId, messageId: two })
  expect(await agrees()).toBe(true)
  await history.unrewind({ sessionId })
  expect(await texts(lab, sessionId)).toEqual(['One'])
  await history.rewind({ sessionId, messageId: two })
  await lab.turn('Three', sessionId)
  expect(await agrees()).toBe(false)
})

test('RW-2 a question without a reply that a rewind came to is replaced by what is sent next', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, one } = await openUnanswered(lab)
  await lab.sessions.history.rewind({ sessionId, messageId: one })
  await lab.turn('Three', sessionId)
  expect(lastRequest(lab)).toEqual(['user: Three'])
})

test('RW-2 a message queued before a rewind replaces the message that the rewind left without a reply', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two'])
  const gate = Promise.withResolvers<void>()
  const refusal = failure(400, 'No.')
  lab.provider.script({ ...refusal, steps: [{ until: gate.promise }, ...refusal.steps] })
  const asked = lab.provider.requests.length
  const failing = await lab.say('Three', sessionId)
  await lab.provider.received(asked)
  const { messageId } = await lab.say('Waiting', sessionId)
  gate.resolve()
  await lab.chunksOf(sessionId, failing.runId)
  expect((await lab.session(sessionId)).status.state).toBe('error')
  await lab.sessions.history.rewind({ sessionId, messageId: ids[1] ?? '' })
  const { runId } = await lab.sessions.queue.promote(sessionId, messageId)
  await lab.chunksOf(sessionId, runId)
  expect(lastRequest(lab)).toEqual(['user: One', 'assistant: Well.', 'user: Waiting'])
  await trueMeter(lab, sessionId)
})

const dig = defineTool({
  id: 'dig',
  description: 'Digs',
  input: z.object({ tokens: z.number() }),
  requires: () => [],
  execute: ({ tokens }) => Promise.resolve({ text: words(tokens, 'found') }),
})

test('RW-3 outputs that a compaction pruned from its tail are in the view again after a rewind behind it', async () => {
  await using lab = await openHistoryLab({}, { agent: { tools: [dig] } })
  const { sessionId } = await openTalk(lab, [words(300, 'old')])
  lab.provider.script(
    (request) => counted(request, { toolCalls: [{ name: 'dig', input: { tokens: 1_200 } }] }),
    (request) => counted(request, { text: 'Nothing there.' }),
  )
  const { messages } = await lab.turn('Dig for me', sessionId)
  const target = messages.at(-2)?.id ?? ''
  const before = await lab.visible(sessionId)
  // Back and on to the same view, so that there is a rewind from before the compaction to undo.
  const { operationId } = await lab.sessions.history.rewind({ sessionId, messageId: target })
  await lab.sessions.history.unrewind({ sessionId })
  const { contextWindow } = await lab.session(sessionId)
  const published = () =>
    lab.events.flatMap((event) =>
      event.type === 'message-changed' ? [event.message.metadata?.prunedParts?.length ?? 0] : [],
    )
  await lab.sessions.history.compact(sessionId)
  expect(published()).toEqual([1])
  const pruned = await lab.visible(sessionId)
  expect(pruned.map(({ metadata }) => metadata?.prunedParts?.length ?? 0)).toEqual([0, 1, 0])
  const meter = await trueMeter(lab, sessionId)

  await lab.sessions.history.unrewind({ sessionId, operationId })
  expect(await lab.visible(sessionId)).toEqual(before)
  expect((await lab.session(sessionId)).contextWindow).toEqual(contextWindow)
  expect(await trueMeter(lab, sessionId)).toBeGreaterThan(meter)
  expect(published()).toEqual([1, 0])

  await lab.sessions.history.unrewind({ sessionId })
  expect(await lab.visible(sessionId)).toEqual(pruned)
  expect(await trueMeter(lab, sessionId)).toBe(meter)
  expect(published()).toEqual([1, 0, 1])
  await lab.turn('And now?', sessionId)
  expect(contentsOf(lab.steps.at(-1)?.body ?? {}).join()).not.toContain('found found')
})
