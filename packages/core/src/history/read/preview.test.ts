import { findTool } from '@palimpsest/testing/find-tool.ts'
import {
  counted,
  openHistoryLab,
  openTalk,
  textOf,
  trueMeter,
  words,
} from '@palimpsest/testing/history-lab.ts'
import { expect, test } from 'vitest'

const ROOMY = { providerId: 'lab', modelId: 'roomy' }

test('UI-39 a preview returns the messages of a point in pages and the window then, and changes nothing', async () => {
  await using lab = await openHistoryLab()
  const { history } = lab.sessions
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two', 'Three'])
  const then = await lab.visible(sessionId)
  const { contextWindow } = await lab.session(sessionId)
  const { operationId: pointId } = await history.rewind({ sessionId, messageId: ids[0] ?? '' })
  await lab.turn('Something else', sessionId)
  const [now, timeline] = [await lab.visible(sessionId), await history.timeline(sessionId)]
  const published = lab.events.length

  const first = await history.preview({ sessionId, pointId, limit: 4 })
  expect(first).toMatchObject({ messages: 6, contextWindow })
  const second = await history.preview({ sessionId, pointId, limit: 4, cursor: first.nextCursor ?? '' })
  expect([...second.items, ...first.items]).toEqual(then)
  expect(second).toMatchObject({ nextCursor: null, contextWindow: null })
  expect(await lab.visible(sessionId)).toEqual(now)
  expect(await history.timeline(sessionId)).toEqual(timeline)
  expect(lab.events).toHaveLength(published)

  for (const bad of ['op_none', now.at(-1)?.id ?? ''])
    await expect(history.preview({ sessionId, pointId: bad })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      field: 'pointId',
    })
  await expect(history.preview({ sessionId, pointId, cursor: 'x' })).rejects.toMatchObject({
    field: 'cursor',
  })
})

test('UI-29 the points are listed newest first and in pieces, each with the message that it is about', async () => {
  await using lab = await openHistoryLab()
  const { history } = lab.sessions
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two', 'Three'])
  await history.branch({ sessionId, fromMessageId: ids[0] ?? '' })
  const all = await history.restorePoints({ sessionId })
  expect(all.map(({ reason, messageId, messages }) => [reason, messageId, messages])).toEqual([
    ['branch', ids[0], 6],
    ['message', ids[2], 4],
    ['message', ids[1], 2],
    ['message', ids[0], 0],
  ])
  expect(all.map(({ tokens }) => tokens)).not.toContain(null)
  const latest = await history.restorePoints({ sessionId, limit: 2 })
  const before = latest.at(-1)?.pointId ?? ''
  const rest = await history.restorePoints({ sessionId, limit: 2, before })
  expect([...latest, ...rest]).toEqual(all)
  await history.restoreTo({ sessionId, pointId: ids[2] ?? '' })
  expect((await lab.visible(sessionId)).map(textOf)).toEqual(['One', 'Well.', 'Two', 'Well.'])
  expect(await trueMeter(lab, sessionId)).toBe(all[1]?.tokens)
  await expect(history.restorePoints({ sessionId, before: 'op_none' })).rejects.toMatchObject({
    field: 'pointId',
  })
})

test('RW-8 a return to a point gives the model each tool result as it saw it then, and publishes the change', async () => {
  await using lab = await openHistoryLab({}, { agent: { tools: [findTool] } })
  const { history } = lab.sessions
  const { id: sessionId } = await lab.sessions.create({ title: 'Finds', model: ROOMY })
  for (let turn = 0; turn < 7; turn += 1) {
    lab.provider.script(
      (request) => counted(request, { toolCalls: [{ name: 'find', input: { tokens: 11_000 } }] }),
      (request) => counted(request, { text: 'Found.' }),
    )
    await lab.turn(words(50, `turn${turn}`), sessionId)
  }
  const whole = await lab.visible(sessionId)
  const used = await trueMeter(lab, sessionId)
  const { operationId } = await history.prune(sessionId)
  const pruned = await lab.visible(sessionId)
  expect(pruned).not.toEqual(whole)
  const pointId = operationId ?? ''
  expect((await history.preview({ sessionId, pointId })).items).toEqual(whole)

  const seen = lab.events.length
  await history.restoreTo({ sessionId, pointId })
  expect(await lab.visible(sessionId)).toEqual(whole)
  expect(await trueMeter(lab, sessionId)).toBe(used)
  const changed = lab.events.slice(seen).flatMap((event) => (event.type === 'message-changed' ? [event] : []))
  expect(changed.length).toBe(pruned.filter(({ metadata }) => metadata?.prunedParts).length)
  const [latest] = await history.restorePoints({ sessionId })
  await history.restoreTo({ sessionId, pointId: latest?.pointId ?? '' })
  expect(await lab.visible(sessionId)).toEqual(pruned)
})
