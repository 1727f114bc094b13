import { findTool } from '@palimpsest/testing/find-tool.ts'
import {
  contentsOf,
  counted,
  type HistoryLab,
  lastRequest,
  late,
  openHistoryLab,
  openTalk,
  textOf,
  trueMeter,
  words,
} from '@palimpsest/testing/history-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'

const ROOMY = { providerId: 'lab', modelId: 'roomy' }
const UNKNOWN = { providerId: 'lab', modelId: 'unknown' }
const PNG = `data:image/png;base64,${'A'.repeat(400)}`

const texts = async (lab: HistoryLab, sessionId: string) => (await lab.visible(sessionId)).map(textOf)
const lastAsked = (lab: HistoryLab) => contentsOf(lab.summaries.at(-1)?.body ?? {}).at(-1) ?? ''

/** A session whose turns each find something of so many tokens. */
async function openFinds(lab: HistoryLab, sizes: number[]) {
  const { id: sessionId } = await lab.sessions.create({ title: 'Finds', model: ROOMY })
  for (const tokens of sizes) {
    lab.provider.script(
      (request) => counted(request, { toolCalls: [{ name: 'find', input: { tokens } }] }),
      (request) => counted(request, { text: 'Found.' }),
    )
    await lab.turn('Find it', sessionId)
  }
  return sessionId
}

test('CP-7 the later of two compactions is undone first, then the earlier one, each to the state before it', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await openTalk(lab, [words(900, 'old'), 'Two', 'Three'])
  const { history } = lab.sessions
  const views = [await lab.visible(sessionId)]
  await history.compact(sessionId)
  for (const text of [words(700, 'newer'), 'Five', 'Six']) await lab.turn(text, sessionId)
  views.push(await lab.visible(sessionId))
  const meter = await trueMeter(lab, sessionId)
  await history.compact(sessionId)
  await trueMeter(lab, sessionId)
  await history.uncompact(sessionId)
  expect(await lab.visible(sessionId)).toEqual(views[1])
  expect(await trueMeter(lab, sessionId)).toBe(meter)
  await history.uncompact(sessionId)
  const restored = await lab.visible(sessionId)
  expect(restored.slice(0, 6)).toEqual(views[0])
  expect(restored.slice(6).map(textOf).slice(2)).toEqual(['Five', 'Well.', 'Six', 'Well.'])
  await trueMeter(lab, sessionId)
  await expect(history.uncompact(sessionId)).rejects.toMatchObject({ code: 'CONFLICT' })
  const undoable = (await history.timeline(sessionId)).filter(({ canUndo }) => canUndo)
  expect(undoable).toEqual([])
})

test('CP-7 turns made under a summary stay when the compaction is undone, and the next model call contains all messages', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await openTalk(lab, [words(900, 'old'), 'Two', 'Three'])
  await lab.sessions.history.compact(sessionId)
  await lab.turn('Four', sessionId)
  await lab.sessions.history.uncompact(sessionId)
  await trueMeter(lab, sessionId)
  await lab.turn('Five', sessionId)
  expect(lastRequest(lab).map((line) => line.slice(0, 11))).toEqual([
    'user: old o',
    'assistant: ',
    'user: Two',
    'assistant: ',
    'user: Three',
    'assistant: ',
    'user: Four',
    'assistant: ',
    'user: Five',
  ])
  await trueMeter(lab, sessionId)
})

test('CP-1 a summary is made of the visible messages and of none that a rewind has hidden', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, [words(500, 'old'), words(300, 'regret'), 'Three'])
  await lab.sessions.history.rewind({ sessionId, messageId: ids[1] ?? '' })
  for (const text of [words(300, 'better'), 'Four', 'Five']) await lab.turn(text, sessionId)
  await lab.sessions.history.compact(sessionId)
  expect(lastAsked(lab)).toContain('better better')
  expect(lastAsked(lab)).not.toContain('regret')
  await trueMeter(lab, sessionId)
})

test('CP-4 the summariser reads the names of attachments, not their bytes, and no system prompt', async () => {
  await using lab = await openHistoryLab()
  const { id: sessionId } = await lab.sessions.create({ title: 'Files' })
  const parts = [
    { type: 'text' as const, text: words(700, 'look') },
    { type: 'file' as const, mediaType: 'image/png', filename: 'plan.png', url: PNG },
    { type: 'file' as const, mediaType: 'application/pdf', url: 'data:application/pdf;base64,JVBERg==' },
  ]
  const { runId = '' } = await lab.sessions.send({ sessionId, message: { parts } })
  await lab.chunksOf(sessionId, runId)
  for (const text of ['Two', 'Three']) await lab.turn(text, sessionId)
  const prompt = contentsOf(lab.steps.at(-1)?.body ?? {})[0] ?? ''
  await lab.sessions.history.compact(sessionId)
  expect(lastAsked(lab)).toContain('[attachment plan.png]\n[attachment application/pdf]')
  expect(JSON.stringify(lab.summaries[0]?.body)).not.toContain('AAAA')
  expect(contentsOf(lab.summaries[0]?.body ?? {}).join()).not.toContain(prompt.slice('system: '.length, 80))
  await trueMeter(lab, sessionId)
  // The system prompt is the same after it, byte for byte.
  await lab.turn('Four', sessionId)
  expect(contentsOf(lab.steps.at(-1)?.body ?? {})[0]).toBe(prompt)
})

test('QU-2 a message that is sent during a requested compaction is queued, and answered under the summary', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await openTalk(lab, [words(900, 'old'), 'Two', 'Three'])
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  lab.summarise(() => {
    begun.resolve()
    return late(gate.promise, { text: 'Summary 1.' })
  })
  const settled = lab.event((event) => event.type === 'message-settled')
  const compacting = lab.sessions.history.compact(sessionId)
  await begun.promise
  expect((await lab.session(sessionId)).status.state).not.toBe('idle')
  expect(await lab.say('Four', sessionId)).toMatchObject({ queued: true })
  gate.resolve()
  await compacting
  await settled
  expect(lastRequest(lab)).toEqual([
    expect.stringContaining('Summary 1.'),
    'user: Two',
    'assistant: Well.',
    'user: Three',
    'assistant: Well.',
    'user: Four',
  ])
})

test('CP-9 a session may keep more turns in its tail, and fewer', async () => {
  await using lab = await openHistoryLab()
  for (const [tail_turns, kept] of [
    [1, ['Four', 'Well.', '']],
    [3, ['Two', 'Well.', 'Three', 'Well.', 'Four', 'Well.', '']],
  ] as const) {
    const { id: sessionId } = await lab.sessions.create({
      title: 'Talk',
      metadata: { compaction: { tail_turns } },
    })
    for (const text of [words(700, 'old'), 'Two', 'Three', 'Four']) await lab.turn(text, sessionId)
    await lab.sessions.history.compact(sessionId)
    expect(await texts(lab, sessionId)).toEqual(kept)
    await trueMeter(lab, sessionId)
  }
})

test('CP-9 where turns must pass between two compactions an earlier one is refused, and nothing has changed', async () => {
  await using lab = await openHistoryLab()
  const { id: sessionId } = await lab.sessions.create({
    title: 'Talk',
    metadata: { compaction: { min_turns_between: 2, tail_turns: 1 } },
  })
  for (const text of [words(600, 'old'), 'Two']) await lab.turn(text, sessionId)
  await lab.sessions.history.compact(sessionId)
  await lab.turn(words(600, 'more'), sessionId)
  const before = await lab.visible(sessionId)
  await expect(lab.sessions.history.compact(sessionId)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'The last summary is too recent.',
  })
  expect(await lab.visible(sessionId)).toEqual(before)
  expect((await lab.session(sessionId)).status.state).toBe('idle')
  await lab.turn('Four', sessionId)
  expect(await lab.sessions.history.compact(sessionId)).toMatchObject({ hidden: 4 })
})

test('CP-6 summarised messages are not summarised again without a turn since', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await openTalk(lab, [words(900, 'old'), 'Two'])
  await lab.sessions.history.compact(sessionId)
  await expect(lab.sessions.history.compact(sessionId)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'Everything before the last turn is summarised already.',
  })
  expect(lab.summaries).toHaveLength(1)
})

test('CP-1 a conversation whose model has no known limit can be summarised by request', async () => {
  await using lab = await openHistoryLab()
  const { id: sessionId } = await lab.sessions.create({ title: 'Talk', model: UNKNOWN })
  for (const text of [words(900, 'old'), 'Two', 'Three']) await lab.turn(text, sessionId)
  const { contextWindow: before } = await lab.session(sessionId)
  expect(before).toMatchObject({ limit: null, usable: null })
  const { afterTokens } = await lab.sessions.history.compact(sessionId)
  expect(await trueMeter(lab, sessionId)).toBe(afterTokens)
  expect(afterTokens).toBeLessThan(before.used - 800)
})

test('PR-1 CP-7 pruned outputs stay stubs through a compaction and its undo, until they are restored', async () => {
  await using lab = await openHistoryLab({}, { agent: { tools: [findTool] } })
  const sessionId = await openFinds(lab, [11_000, 11_000, 11_000, 11_000, 11_000, 11_000, 11_000])
  const { history } = lab.sessions
  const original = await trueMeter(lab, sessionId)
  const parts = (await lab.everything(sessionId)).map((message) => message.parts)
  expect(await history.prune(sessionId)).toMatchObject({ parts: 3 })
  const pruned = await trueMeter(lab, sessionId)
  await history.compact(sessionId)
  // The summariser reads what the model saw.
  expect(lastAsked(lab)).toMatch(/\[result\] <output pruned, 1\d{4} tokens>/)
  await trueMeter(lab, sessionId)
  // Nothing that is visible is pruned now, so there is nothing to restore.
  expect(await history.unprune(sessionId)).toEqual({ operationId: null, parts: 0, tokens: 0 })
  await history.uncompact(sessionId)
  expect(await trueMeter(lab, sessionId)).toBe(pruned)
  expect(await history.unprune(sessionId)).toMatchObject({ parts: 3, tokens: original - pruned })
  expect(await trueMeter(lab, sessionId)).toBe(original)
  const all = await lab.everything(sessionId)
  expect(all.filter(({ metadata }) => !metadata?.summary).map((message) => message.parts)).toEqual(parts)
})

test('PR-1 CP-1 a summary made between pruning and un-pruning hides no output for good', async () => {
  await using lab = await openHistoryLab({}, { agent: { tools: [findTool] } })
  const sessionId = await openFinds(lab, [25_000, 11_000, 11_000, 11_000, 11_000, 11_000])
  const { history } = lab.sessions
  await history.prune(sessionId)
  await history.compact(sessionId)
  const first = (await lab.everything(sessionId))[1]
  expect(first?.metadata).toMatchObject({ prunedParts: [1] })
  // From inside of the summarised part the outputs come along as they are, pruned, and are restored there.
  const branch = await history.branch({ sessionId, fromMessageId: first?.id ?? '' })
  await trueMeter(lab, branch.id)
  expect(await history.unprune(branch.id)).toMatchObject({ parts: 1 })
  await trueMeter(lab, branch.id)
  lab.provider.script((request) => counted(request, { text: 'I see.' }))
  await lab.turn('And?', branch.id)
  expect(lastRequest(lab).join()).toContain('needle needle')
  expect((await lab.everything(sessionId))[1]?.metadata?.prunedParts).toEqual([1])
})

test('CP-10 a summary written beforehand is not used after a rewind into what it summarises', async () => {
  await using lab = await openHistoryLab({}, { compaction: { precompute: true } })
  const { id: sessionId } = await lab.sessions.create({ title: 'Talk' })
  const asked = Promise.withResolvers<void>()
  lab.summarise((_, index) => {
    asked.resolve()
    return reply({ text: `Summary ${index + 1}.` })
  })
  const used = async () => (await lab.session(sessionId)).contextWindow
  for (let window = await used(); window.used < 0.8 * (window.usable ?? 0); window = await used())
    await lab.turn(words(400), sessionId)
  await asked.promise
  const second = (await lab.visible(sessionId))[2]?.id ?? ''
  await lab.sessions.history.rewind({ sessionId, messageId: second })
  for (const text of [words(300, 'other'), 'Four', 'Five']) await lab.turn(text, sessionId)
  await lab.sessions.history.compact(sessionId)
  expect(lab.summaries).toHaveLength(2)
  expect(lastAsked(lab)).toContain('other other')
  expect((await lab.visible(sessionId)).find(({ metadata }) => metadata?.summary)?.parts).toMatchObject([
    { data: { summary: 'Summary 2.' } },
  ])
})
