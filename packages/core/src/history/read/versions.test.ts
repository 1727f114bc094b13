import {
  type HistoryLab,
  openHistoryLab,
  openTalk,
  textOf,
  trueMeter,
} from '@palimpsest/testing/history-lab.ts'
import { expect, test } from 'vitest'

const texts = async (lab: HistoryLab, sessionId: string) => (await lab.visible(sessionId)).map(textOf)

async function edit(lab: HistoryLab, sessionId: string, replaceMessageId: string, text: string) {
  const message = { parts: [{ type: 'text' as const, text }] }
  const { runId = '', messageId } = await lab.sessions.send({ sessionId, message, replaceMessageId })
  await lab.chunksOf(sessionId, runId)
  return messageId
}

async function resend(lab: HistoryLab, sessionId: string, messageId: string) {
  const { runId } = await lab.sessions.resend({ sessionId, messageId })
  await lab.chunksOf(sessionId, runId)
}

test('UI-28 a switch of the version shows its own continuation, asks no model, and can be switched back', async () => {
  await using lab = await openHistoryLab()
  const { history } = lab.sessions
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two', 'Three'])
  const original = await lab.visible(sessionId)
  const edited = await edit(lab, sessionId, ids[1] ?? '', 'Two, but better')
  const changed = await lab.visible(sessionId)
  const { versions, current } = await history.versions({ sessionId, messageId: edited })
  expect(versions.map(({ label }) => label)).toEqual(['Two', 'Two, but better'])
  expect(current).toBe(1)
  const asked = lab.provider.requests.length
  const operationId = versions[0]?.operationId ?? ''
  expect(await history.switchVersion({ sessionId, messageId: edited, operationId })).toMatchObject({
    hidden: 2,
    restored: 4,
  })
  expect(await lab.visible(sessionId)).toEqual(original)
  await trueMeter(lab, sessionId)
  const back = await history.versions({ sessionId, messageId: ids[1] ?? '' })
  expect(back.current).toBe(0)
  await history.switchVersion({
    sessionId,
    messageId: ids[1] ?? '',
    operationId: back.versions[1]?.operationId ?? '',
  })
  expect(await lab.visible(sessionId)).toEqual(changed)
  expect(lab.provider.requests).toHaveLength(asked)
})

test('UI-28 replies to one question are versions of each other, and a state that is none is refused', async () => {
  await using lab = await openHistoryLab()
  const { history } = lab.sessions
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two'])
  await resend(lab, sessionId, ids[0] ?? '')
  const [place, ...others] = await history.threadVersions(sessionId)
  expect(others).toEqual([])
  expect(place).toMatchObject({ current: 1, versions: [{}, { operationId: null }] })
  const messageId = place?.messageId ?? ''
  const bad = history.switchVersion({ sessionId, messageId, operationId: 'op_none' })
  await expect(bad).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'operationId' })
  await expect(history.versions({ sessionId, messageId: 'none' })).rejects.toMatchObject({
    code: 'MESSAGE_NOT_FOUND',
  })
  expect(await history.versions({ sessionId, messageId: ids[0] ?? '' })).toMatchObject({
    versions: [{ operationId: null, label: 'One' }],
    current: 0,
  })
})

test('UI-29 one operation returns to any earlier state by its name, and the state that it left is a point too', async () => {
  await using lab = await openHistoryLab()
  const { history } = lab.sessions
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two', 'Three'])
  const original = await lab.visible(sessionId)
  await history.rewind({ sessionId, messageId: ids[1] ?? '' })
  const rewound = await lab.visible(sessionId)
  await lab.turn('Something else', sessionId)
  const changed = await lab.visible(sessionId)
  expect(await texts(lab, sessionId)).toEqual(['One', 'Well.', 'Something else', 'Well.'])
  const points = await history.restorePoints({ sessionId })
  expect(points.map(({ label, messages }) => [label.split(',')[0], messages])).toEqual([
    ['Before you changed the question', 3],
    ['Before you rewound', 6],
    ['Before you sent a message', 4],
    ['Before you sent a message', 2],
    ['Before you sent a message', 0],
  ])
  await history.restoreTo({ sessionId, pointId: points[1]?.pointId ?? '' })
  expect(await lab.visible(sessionId)).toEqual(original)
  await trueMeter(lab, sessionId)
  const [latest] = await history.restorePoints({ sessionId })
  expect(latest).toMatchObject({ reason: 'restore', messages: 4 })
  await history.restoreTo({ sessionId, pointId: latest?.pointId ?? '' })
  expect(await lab.visible(sessionId)).toEqual(changed)
  await history.restoreTo({ sessionId, pointId: points[0]?.pointId ?? '' })
  expect(await lab.visible(sessionId)).toEqual(rewound)
  await expect(history.restoreTo({ sessionId, pointId: 'op_none' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'pointId',
  })
})
