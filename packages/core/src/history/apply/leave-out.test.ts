import { findTool } from '@palimpsest/testing/find-tool.ts'
import {
  contentsOf,
  counted,
  type HistoryLab,
  measureAgain,
  openHistoryLab,
  words,
} from '@palimpsest/testing/history-lab.ts'
import { expect, test } from 'vitest'

const ROOMY = { providerId: 'lab', modelId: 'roomy' }

/** Three turns, the second of which calls a tool, with the ids of all messages. */
async function openTurns(lab: HistoryLab) {
  const { id: sessionId } = await lab.sessions.create({ title: 'Talk', model: ROOMY })
  await lab.turn(words(300, 'first'), sessionId)
  lab.provider.script(
    (request) => counted(request, { toolCalls: [{ name: 'find', input: { tokens: 2_000 } }] }),
    (request) => counted(request, { text: 'Found.' }),
  )
  await lab.turn('Find it', sessionId)
  await lab.turn('Third', sessionId)
  const ids = (await lab.visible(sessionId)).map(({ id }) => id)
  return { sessionId, ids }
}

const open = () => openHistoryLab({}, { agent: { tools: [findTool] } })
const sent = (lab: HistoryLab) => contentsOf(lab.steps.at(-1)?.body ?? {})
const window = async (lab: HistoryLab, sessionId: string) => (await lab.session(sessionId)).contextWindow

test('PR-5 the model no longer sees a message that is left out, which stays in the thread, and sees it once it is back', async () => {
  await using lab = await open()
  const { sessionId, ids } = await openTurns(lab)
  const [question = ''] = ids
  const before = await window(lab, sessionId)
  const published = lab.event((event) => event.type === 'message-changed')
  const result = await lab.sessions.history.leaveOut({ sessionId, messageId: question })
  expect(await published).toMatchObject({ message: { id: question, metadata: { leftOut: true } } })
  expect(result.operationId).toMatch(/^op_/)
  const less = await window(lab, sessionId)
  expect(before.used - less.used).toBe(result.tokens)
  expect(result.tokens).toBeGreaterThan(300)
  expect(less.estimated).toBe(true)
  expect((await lab.session(sessionId)).contextTokens).toBe(
    (await measureAgain(lab, sessionId)).contextTokens,
  )
  expect((await lab.visible(sessionId)).map(({ id }) => id)).toEqual(ids)

  await lab.turn('And now?', sessionId)
  expect(sent(lab).join()).not.toContain('first')
  expect(await window(lab, sessionId)).toMatchObject({ estimated: false })
  await lab.sessions.history.bringBack({ sessionId, messageId: question })
  expect(await window(lab, sessionId)).toMatchObject({ estimated: true })
  await lab.turn('And then?', sessionId)
  expect(sent(lab).join()).toContain('first')
})

test('PR-5 a call leaves together with its result', async () => {
  await using lab = await open()
  const { sessionId, ids } = await openTurns(lab)
  const { tokens } = await lab.sessions.history.leaveOut({ sessionId, messageId: ids[3] ?? '' })
  expect(tokens).toBeGreaterThan(1_900)
  await lab.turn('And now?', sessionId)
  expect(sent(lab).some((line) => line.startsWith('tool: '))).toBe(false)
  expect(JSON.stringify(lab.steps.at(-1)?.body)).not.toContain('tool_calls')
})

test('PR-5 a second time nothing is left to do; hidden messages, summaries and unknown ones are refused', async () => {
  await using lab = await open()
  const { sessionId, ids } = await openTurns(lab)
  const { history } = lab.sessions
  const [first = '', , third = ''] = ids
  expect(await history.bringBack({ sessionId, messageId: first })).toEqual({ operationId: null, tokens: 0 })
  await history.leaveOut({ sessionId, messageId: first })
  expect(await history.leaveOut({ sessionId, messageId: first })).toEqual({ operationId: null, tokens: 0 })
  await history.rewind({ sessionId, messageId: first })
  await expect(history.leaveOut({ sessionId, messageId: third })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'messageId',
  })
  await expect(history.leaveOut({ sessionId, messageId: 'none' })).rejects.toMatchObject({
    code: 'MESSAGE_NOT_FOUND',
  })
  await history.unrewind({ sessionId })
  await history.compact(sessionId)
  const summary = (await lab.visible(sessionId)).find(({ metadata }) => metadata?.summary)
  await expect(history.leaveOut({ sessionId, messageId: summary?.id ?? '' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  })
})

test('PR-5 no reply is written to a message that the model does not see', async () => {
  await using lab = await open()
  const { sessionId, ids } = await openTurns(lab)
  const messageId = ids[4] ?? ''
  await lab.sessions.history.leaveOut({ sessionId, messageId })
  await expect(lab.sessions.resend({ sessionId, messageId })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await lab.visible(sessionId)).map(({ id }) => id)).toEqual(ids)
})

test('PR-5 a summary has nothing of what is left out, and undoing the summary leaves it so', async () => {
  await using lab = await open()
  const { sessionId, ids } = await openTurns(lab)
  const { history } = lab.sessions
  await history.leaveOut({ sessionId, messageId: ids[0] ?? '' })
  await history.compact(sessionId)
  expect(JSON.stringify(lab.summaries[0]?.body)).not.toContain('first')
  await history.uncompact(sessionId)
  const [first] = await lab.visible(sessionId)
  expect(first?.metadata?.leftOut).toBe(true)
})

test('PR-5 returning to a point leaves out what was left out then, and nothing else', async () => {
  await using lab = await open()
  const { sessionId, ids } = await openTurns(lab)
  const { history } = lab.sessions
  const [first = '', second = ''] = ids
  const left = async () =>
    (await lab.visible(sessionId)).filter(({ metadata }) => metadata?.leftOut).map(({ id }) => id)
  const full = await window(lab, sessionId)
  await history.leaveOut({ sessionId, messageId: first })
  await history.leaveOut({ sessionId, messageId: second })
  const half = await window(lab, sessionId)
  await history.bringBack({ sessionId, messageId: first })
  const points = await history.restorePoints({ sessionId })
  expect(points.slice(0, 3).map(({ label }) => label.split(',')[0])).toEqual([
    'Before you brought back a message',
    'Before you left out a message',
    'Before you left out a message',
  ])
  await history.restoreTo({ sessionId, pointId: points[0]?.pointId ?? '' })
  expect(await left()).toEqual([first, second])
  expect((await window(lab, sessionId)).used).toBe(half.used)
  await history.restoreTo({ sessionId, pointId: points[2]?.pointId ?? '' })
  expect(await left()).toEqual([])
  expect((await window(lab, sessionId)).used).toBe(full.used)
  const [latest] = await history.restorePoints({ sessionId })
  await history.restoreTo({ sessionId, pointId: latest?.pointId ?? '' })
  expect(await left()).toEqual([first, second])
})

test('PR-5 the last operation on a message that is visible can be undone', async () => {
  await using lab = await open()
  const { sessionId, ids } = await openTurns(lab)
  const { history } = lab.sessions
  const messageId = ids[2] ?? ''
  const undo = async () => (await history.timeline(sessionId)).map(({ kind, canUndo }) => [kind, canUndo])
  await history.leaveOut({ sessionId, messageId })
  expect(await undo()).toEqual([['leaveout', true]])
  await history.bringBack({ sessionId, messageId })
  expect(await undo()).toEqual([
    ['bringback', true],
    ['leaveout', false],
  ])
  await history.rewind({ sessionId, messageId: ids[0] ?? '' })
  expect((await undo()).slice(1)).toEqual([
    ['bringback', false],
    ['leaveout', false],
  ])
})

test('PR-5 a branch of what is left out leaves it out, and its window is right', async () => {
  await using lab = await open()
  const { sessionId, ids } = await openTurns(lab)
  await lab.sessions.history.leaveOut({ sessionId, messageId: ids[0] ?? '' })
  const branch = await lab.sessions.history.branch({ sessionId, fromMessageId: ids[3] ?? '' })
  const [copy] = await lab.visible(branch.id)
  expect(copy?.metadata?.leftOut).toBe(true)
  expect((await lab.session(branch.id)).contextTokens).toBe(
    (await measureAgain(lab, branch.id)).contextTokens,
  )
  const used = (await window(lab, branch.id)).used
  await lab.sessions.history.bringBack({ sessionId: branch.id, messageId: copy?.id ?? '' })
  expect((await window(lab, branch.id)).used).toBeGreaterThan(used + 300)
})
