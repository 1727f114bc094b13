import { type HistoryLab, openHistoryLab } from '@palimpsest/testing/history-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'

async function openTalk(lab: HistoryLab) {
  const { id: sessionId } = await lab.sessions.create({ title: 'Talk' })
  for (const question of ['One', 'Two', 'Three']) await lab.turn(question, sessionId)
  const messageId = (await lab.visible(sessionId))[2]?.id ?? ''
  return { sessionId, messageId }
}

const OPERATIONS: Record<
  string,
  (lab: HistoryLab, sessionId: string, messageId: string) => Promise<unknown>
> = {
  rewind: ({ sessions }, sessionId, messageId) => sessions.history.rewind({ sessionId, messageId }),
  unrewind: ({ sessions }, sessionId) => sessions.history.unrewind({ sessionId }),
  branch: ({ sessions }, sessionId, fromMessageId) => sessions.history.branch({ sessionId, fromMessageId }),
  compact: ({ sessions }, sessionId) => sessions.history.compact(sessionId),
  uncompact: ({ sessions }, sessionId) => sessions.history.uncompact(sessionId),
  prune: ({ sessions }, sessionId) => sessions.history.prune(sessionId),
  unprune: ({ sessions }, sessionId) => sessions.history.unprune(sessionId),
  resend: ({ sessions }, sessionId, messageId) => sessions.resend({ sessionId, messageId }),
  edit: ({ sessions }, sessionId, replaceMessageId) =>
    sessions.send({
      sessionId,
      replaceMessageId,
      message: { parts: [{ type: 'text', text: 'Instead' }] },
    }),
}

test.for(Object.keys(OPERATIONS))(
  'ST-3 %s during a run is refused as busy, and nothing has changed',
  async (name) => {
    await using lab = await openHistoryLab()
    const { sessionId, messageId } = await openTalk(lab)
    const gate = Promise.withResolvers<void>()
    lab.provider.script(reply({ text: ['Half', ' more'], hold: { before: 1, until: gate.promise } }))
    const { runId } = await lab.say('Four', sessionId)
    for await (const _ of lab.sessions.stream({ sessionId, runId })) break
    const before = [await lab.everything(sessionId), await lab.sessions.history.timeline(sessionId)]
    const refused = OPERATIONS[name]?.(lab, sessionId, messageId)
    await expect(refused).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    expect([await lab.everything(sessionId), await lab.sessions.history.timeline(sessionId)]).toEqual(before)
    gate.resolve()
    await lab.chunksOf(sessionId, runId)
  },
)

test.for(['rewind', 'branch', 'compact'])('ST-3 one of two concurrent %s wins', async (name) => {
  await using lab = await openHistoryLab()
  const { sessionId, messageId } = await openTalk(lab)
  lab.summarise(() => reply({ text: 'S.' }))
  const act = () => OPERATIONS[name]?.(lab, sessionId, messageId) ?? Promise.resolve()
  const outcomes = await Promise.allSettled([act(), act()])
  const [won, lost] = outcomes
  expect(won?.status).toBe(name === 'compact' ? won?.status : 'fulfilled')
  expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'SESSION_BUSY' } })
})

test('QU-1 a send during a short operation waits for its end, and one during a compaction is queued', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, messageId } = await openTalk(lab)
  const rewinding = lab.sessions.history.rewind({ sessionId, messageId })
  const sent = await lab.say('Now', sessionId)
  expect(sent.queued).toBe(false)
  await rewinding
  await lab.chunksOf(sessionId, sent.runId)

  for (const text of ['Four '.repeat(300), 'Five', 'Six']) await lab.turn(text, sessionId)
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  lab.summarise(() => {
    asked.resolve()
    return reply({ text: 'S.' })
  })
  const compacting = lab.sessions.history.compact(sessionId)
  await asked.promise
  gate.resolve()
  const during = await lab.say('Meanwhile', sessionId)
  await compacting
  await lab.event((event): event is typeof event => event.type === 'message-settled')
  const last = (await lab.visible(sessionId)).at(-1)
  expect(last?.metadata?.finishReason).toBe('stop')
  expect((await lab.everything(sessionId)).some(({ id }) => id === during.messageId)).toBe(true)
})
