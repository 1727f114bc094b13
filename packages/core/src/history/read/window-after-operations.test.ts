import { findTool } from '@palimpsest/testing/find-tool.ts'
import {
  counted,
  type HistoryLab,
  openHistoryLab,
  trueMeter,
  words,
} from '@palimpsest/testing/history-lab.ts'
import { expect, test } from 'vitest'

const ROOMY = { providerId: 'lab', modelId: 'roomy' }

/** A session of seven turns, each with a tool output of 11,000 tokens; with the ids of its user messages. */
async function openFinds(lab: HistoryLab) {
  const { id: sessionId } = await lab.sessions.create({ title: 'Finds', model: ROOMY })
  for (let turn = 0; turn < 7; turn += 1) {
    lab.provider.script(
      (request) => counted(request, { toolCalls: [{ name: 'find', input: { tokens: 11_000 } }] }),
      (request) => counted(request, { text: 'Found.' }),
    )
    await lab.turn(words(50, `turn${turn}`), sessionId)
  }
  const questions = (await lab.visible(sessionId)).filter(({ role }) => role === 'user')
  return { sessionId, ids: questions.map(({ id }) => id) }
}

test('US-4 the window is right immediately after each history operation, and marked until a step counts it', async () => {
  await using lab = await openHistoryLab({}, { agent: { tools: [findTool] } })
  const { sessionId, ids } = await openFinds(lab)
  const { history } = lab.sessions
  const window = async () => (await lab.session(sessionId)).contextWindow
  const full = await window()
  expect(full).toMatchObject({ used: await trueMeter(lab, sessionId), estimated: false })

  const branch = await history.branch({ sessionId, fromMessageId: ids[5] ?? '' })
  expect(await trueMeter(lab, branch.id)).toBeLessThan(full.used)
  expect(await window()).toEqual(full)

  const operations: [name: string, run: () => Promise<unknown>, sign: number][] = [
    ['rewind', () => history.rewind({ sessionId, messageId: ids[5] ?? '' }), -1],
    ['unrewind', () => history.unrewind({ sessionId }), 1],
    ['prune', () => history.prune(sessionId), -1],
    ['unprune', () => history.unprune(sessionId), 1],
    ['compact', () => history.compact(sessionId), -1],
    ['uncompact', () => history.uncompact(sessionId), 1],
  ]
  for (const [name, run, sign] of operations) {
    const before = await trueMeter(lab, sessionId)
    await run()
    const after = await trueMeter(lab, sessionId)
    expect(Math.sign(after - before), name).toBe(sign)
  }
  await history.prune(sessionId)
  expect((await window()).estimated).toBe(true)

  const small = { providerId: 'lab', modelId: 'm1' }
  await lab.sessions.history.rewind({ sessionId, messageId: ids[0] ?? '' })
  const message = { parts: [{ type: 'text' as const, text: 'Switch' }] }
  const { runId = '' } = await lab.sessions.send({ sessionId, message, model: small })
  await lab.chunksOf(sessionId, runId)
  expect(await window()).toMatchObject({ used: await trueMeter(lab, sessionId), estimated: false })
})
