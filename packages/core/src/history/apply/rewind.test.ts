import {
  type HistoryLab,
  lastRequest,
  openHistoryLab,
  openTalk,
  textOf,
} from '@palimpsest/testing/history-lab.ts'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../domain/session/event.ts'

const texts = async (lab: HistoryLab, sessionId: string) => (await lab.visible(sessionId)).map(textOf)
const eventsOf = (lab: HistoryLab, ...types: SessionEvent['type'][]) =>
  lab.events.filter(({ type }) => types.includes(type))

test('RW-1 a rewind keeps its message, hides what came after it, and publishes the change', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two', 'Three'])
  const gone = (await lab.visible(sessionId)).slice(3).map(({ id }) => id)
  const { history } = lab.sessions
  const before = await lab.session(sessionId)
  expect(await history.rewind({ sessionId, messageId: ids[1] ?? '', preview: true })).toMatchObject({
    hidden: 3,
    restored: 0,
  })
  expect((await lab.session(sessionId)).revision).toBe(before.revision)
  const result = await history.rewind({ sessionId, messageId: ids[1] ?? '' })
  expect(result).toEqual({ operationId: expect.stringMatching(/^op_/), hidden: 3, restored: 0 })
  expect(await texts(lab, sessionId)).toEqual(['One', 'Well.', 'Two'])
  expect(eventsOf(lab, 'message-hidden', 'history')).toMatchObject([
    { type: 'message-hidden', messageIds: gone, hiddenBy: result.operationId },
    { type: 'history', operation: { id: result.operationId, kind: 'rewind' } },
  ])
  expect(await lab.session(sessionId)).toMatchObject({ canUnrewind: true })
})

test('RW-2 a resend answers the same message again, without a second row', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two'])
  const { runId } = await lab.sessions.resend({ sessionId, messageId: ids[0] ?? '' })
  await lab.chunksOf(sessionId, runId)
  expect(await texts(lab, sessionId)).toEqual(['One', 'Well.'])
  expect(lastRequest(lab)).toEqual(['user: One'])
  expect(await lab.everything(sessionId)).toHaveLength(5)
})

test('RW-2 an edited message takes the place of the old one in one operation', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two', 'Three'])
  const message = { parts: [{ type: 'text' as const, text: 'Two, but better' }] }
  const { runId } = await lab.sessions.send({ sessionId, message, replaceMessageId: ids[1] ?? '' })
  await lab.chunksOf(sessionId, runId ?? '')
  expect(await texts(lab, sessionId)).toEqual(['One', 'Well.', 'Two, but better', 'Well.'])
  expect(lastRequest(lab)).toEqual(['user: One', 'assistant: Well.', 'user: Two, but better'])
  const timeline = await lab.sessions.history.timeline(sessionId)
  expect(timeline).toMatchObject([{ kind: 'rewind', hiddenCount: 4, detail: { replacedMessageId: ids[1] } }])
})

test('RW-2 a message sent after a rewind replaces the message that the rewind left without a reply', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two'])
  await lab.sessions.history.rewind({ sessionId, messageId: ids[1] ?? '' })
  await lab.turn('Something else', sessionId)
  expect(lastRequest(lab)).toEqual(['user: One', 'assistant: Well.', 'user: Something else'])
  await lab.sessions.history.unrewind({ sessionId })
  expect(await texts(lab, sessionId)).toEqual(['One', 'Well.', 'Two'])
})

test('RW-2 a question that a rewind left unanswered can simply be answered', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two'])
  await lab.sessions.history.rewind({ sessionId, messageId: ids[0] ?? '' })
  const { runId } = await lab.sessions.continue(sessionId)
  await lab.chunksOf(sessionId, runId)
  expect(lastRequest(lab)).toEqual(['user: One'])
})

test('RW-3 un-rewind restores exactly what the rewind hid; turns made since can be restored in turn', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two'])
  const before = await lab.visible(sessionId)
  const { contextWindow } = await lab.session(sessionId)
  const { history } = lab.sessions
  await history.rewind({ sessionId, messageId: ids[0] ?? '' })
  expect(await history.unrewind({ sessionId })).toMatchObject({ hidden: 0, restored: 3 })
  expect(await lab.visible(sessionId)).toEqual(before)
  expect((await lab.session(sessionId)).contextWindow).toEqual(contextWindow)
  expect(eventsOf(lab, 'message-shown')).toMatchObject([{ messageIds: before.slice(1).map(({ id }) => id) }])
  await expect(history.unrewind({ sessionId })).rejects.toMatchObject({ code: 'CONFLICT' })

  await history.rewind({ sessionId, messageId: ids[0] ?? '' })
  await lab.turn('Other', sessionId)
  const other = await lab.visible(sessionId)
  await history.unrewind({ sessionId })
  expect((await lab.visible(sessionId)).map(({ id }) => id)).toEqual([ids[0]])
  await history.unrewind({ sessionId })
  expect(await lab.visible(sessionId)).toEqual(other)
  const first = (await history.timeline(sessionId)).at(-3)
  await history.unrewind({ sessionId, operationId: first?.id ?? '' })
  expect(await lab.visible(sessionId)).toEqual(before)
})

test('RW-6 a rewind to anything but a user message of the session is refused and changes nothing', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await openTalk(lab, ['One'])
  const other = await openTalk(lab, ['Other'])
  const reply = (await lab.visible(sessionId)).at(-1)?.id ?? ''
  const rewind = (messageId: string) => lab.sessions.history.rewind({ sessionId, messageId })
  await expect(rewind(reply)).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'messageId' })
  await expect(rewind(other.ids[0] ?? '')).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
  await expect(rewind('msg_none')).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
  expect(await texts(lab, sessionId)).toEqual(['One', 'Well.'])
  expect(await lab.sessions.history.timeline(sessionId)).toEqual([])
})

test('RW-7 the usage of rewound turns stays in the session’s totals, whatever follows', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two'])
  const usage = async () => (await lab.session(sessionId)).usage
  const report = async () => await lab.sessions.usageReport({})
  const before = { usage: await usage(), report: await report() }
  await lab.sessions.history.rewind({ sessionId, messageId: ids[0] ?? '' })
  expect({ usage: await usage(), report: await report() }).toEqual(before)
  await lab.turn('Other', sessionId)
  const replies = (await lab.everything(sessionId)).filter(({ role }) => role === 'assistant')
  expect(replies).toHaveLength(3)
  const counted = replies.reduce((sum, { metadata }) => sum + (metadata?.usage?.input ?? 0), 0)
  expect((await usage()).promptTokens).toBe(counted)
  const after = await usage()
  await lab.sessions.history.unrewind({ sessionId })
  expect(await usage()).toEqual(after)
})

test('US-4 the window is right immediately after a rewind and its undo, and marked where it is estimated', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two, which is a little longer', 'Three'])
  const meter = async () => (await lab.session(sessionId)).contextWindow
  const counts = [...(await lab.visible(sessionId))].flatMap(({ metadata }) => metadata?.window?.tokens ?? [])
  expect(await meter()).toMatchObject({ used: counts[2], estimated: false })
  await lab.sessions.history.rewind({ sessionId, messageId: ids[1] ?? '' })
  const rewound = await meter()
  expect(rewound.estimated).toBe(true)
  expect(rewound.used).toBeGreaterThan(counts[0] ?? 0)
  expect(rewound.used).toBeLessThan((counts[1] ?? 0) + 5)
  await lab.sessions.history.rewind({ sessionId, messageId: ids[0] ?? '' })
  const first = await meter()
  expect(Math.abs(first.used - (counts[0] ?? 0))).toBeLessThan(10)
  const last = lab.events.findLast(({ type }) => type === 'usage')
  expect(last).toMatchObject({ contextWindow: first })
})

test('QU-2 the queue continues after a history operation', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two'])
  const fired = lab.event(
    (event): event is Extract<SessionEvent, { type: 'message-added' }> =>
      event.type === 'message-added' && textOf(event.message) === 'Four',
  )
  const rewound = lab
    .event((event): event is SessionEvent => event.type === 'status' && event.status.state === 'idle')
    .then(() => lab.sessions.history.rewind({ sessionId, messageId: ids[0] ?? '' }))
  await lab.say('Three', sessionId)
  expect(await lab.say('Four', sessionId)).toMatchObject({ queued: true })
  await Promise.allSettled([rewound])
  const { message } = await fired
  await lab.chunksOf(sessionId, message.metadata?.runId ?? '')
  expect((await lab.everything(sessionId)).filter((found) => textOf(found) === 'Four')).toHaveLength(1)
})
