import {
  type HistoryLab,
  lastRequest,
  openHistoryLab,
  openTalk,
  textOf,
  trueMeter,
  words,
} from '@palimpsest/testing/history-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { newSession } from '@palimpsest/testing/store-contract/fixtures.ts'
import { expect, test } from 'vitest'
import { isNestedBeyond } from '../../domain/json/nesting.ts'
import type { ChatMessage } from '../../domain/message/message.ts'
import type { LineageNode } from '../history-service.ts'

const texts = async (lab: HistoryLab, sessionId: string) => (await lab.visible(sessionId)).map(textOf)
const partsOf = (messages: readonly ChatMessage[]) => messages.map(({ role, parts }) => ({ role, parts }))

/** Four turns, of which the first two are summarised; with a function that finds a message by its question's text. */
async function openCompacted(lab: HistoryLab) {
  const { sessionId, ids } = await openTalk(lab, [words(900, 'old'), 'Two', 'Three', 'Four'])
  const original = await lab.visible(sessionId)
  await lab.sessions.history.compact(sessionId)
  const summary = (await lab.visible(sessionId)).find(({ metadata }) => metadata?.summary)
  return { sessionId, ids, original, summaryId: summary?.id ?? '' }
}

test('BR-6 a branch from any message of a compacted history holds the messages up to it, or their summary', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, original, summaryId } = await openCompacted(lab)
  for (const [index, { id }] of original.entries()) {
    const branch = await lab.sessions.history.branch({ sessionId, fromMessageId: id })
    const copies = await lab.visible(branch.id)
    const [summary, ...rest] = copies
    const summarised = index < 4
    expect(summary?.metadata?.summary).toBe(summarised ? undefined : true)
    const held = summarised ? copies : rest
    expect(partsOf(held)).toEqual(partsOf(original.slice(summarised ? 0 : 4, index + 1)))
    await trueMeter(lab, branch.id)
  }
  const ofSummary = await lab.sessions.history.branch({ sessionId, fromMessageId: summaryId })
  expect(partsOf(await lab.visible(ofSummary.id)).length).toBe(5)
  expect(await lab.visible(sessionId)).toHaveLength(5)
})

test('BR-6 a branch from inside a summary of a summary holds what the first one summarised', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, original } = await openCompacted(lab)
  for (const text of [words(900, 'newer'), 'Six', 'Seven']) await lab.turn(text, sessionId)
  await lab.sessions.history.compact(sessionId)
  const early = original[2]?.id ?? ''
  const late = original[6]?.id ?? ''
  const before = await lab.sessions.history.branch({ sessionId, fromMessageId: early })
  expect(partsOf(await lab.visible(before.id))).toEqual(partsOf(original.slice(0, 3)))
  // The last turns of the first compaction's tail were seen under its summary, and so they are copied.
  const between = await lab.sessions.history.branch({ sessionId, fromMessageId: late })
  const copies = await lab.visible(between.id)
  expect(copies.map(({ metadata }) => metadata?.summary ?? false)).toEqual([true, false, false, false])
  expect(copies[0]?.parts).toMatchObject([{ data: { summary: 'Summary 1.' } }])
  await trueMeter(lab, between.id)
})

test('BR-6 a branch with a copied summary is summarised, rewound and branched like any other', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, original } = await openCompacted(lab)
  const { history } = lab.sessions
  const branch = await history.branch({ sessionId, fromMessageId: original.at(-1)?.id ?? '' })
  for (const text of [words(700, 'more'), 'Six', 'Seven']) await lab.turn(text, branch.id)
  await history.compact(branch.id)
  expect(JSON.stringify(lab.summaries.at(-1)?.body)).toContain('Summary 1.')
  await trueMeter(lab, branch.id)
  await history.uncompact(branch.id)
  await trueMeter(lab, branch.id)
  const visible = await lab.visible(branch.id)
  const three = visible.find((message) => textOf(message) === 'Three')?.id ?? ''
  await history.rewind({ sessionId: branch.id, messageId: three })
  await lab.turn('Other', branch.id)
  expect(lastRequest(lab)).toEqual([expect.stringContaining('Summary 1.'), 'user: Other'])
  const deep = await history.branch({ sessionId: branch.id, fromMessageId: three })
  expect(await texts(lab, deep.id)).toEqual(['', 'Three'])
})

test('BR-1 a model call in a branch of a branch contains its messages, and the branch names the message of its own parent', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two', 'Three'])
  const first = await lab.sessions.history.branch({ sessionId, fromMessageId: ids[2] ?? '' })
  const copied = (await lab.visible(first.id))[2]?.id ?? ''
  const second = await lab.sessions.history.branch({ sessionId: first.id, fromMessageId: copied })
  expect(second).toMatchObject({ parentId: first.id, parentMessageId: copied })
  await lab.turn('Deep', second.id)
  expect(lastRequest(lab)).toEqual(['user: One', 'assistant: Well.', 'user: Two', 'user: Deep'])
  // The parent's messages are no messages of the branch.
  const foreign = lab.sessions.history.branch({ sessionId: first.id, fromMessageId: ids[0] ?? '' })
  await expect(foreign).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
})

test('BR-3 a branch’s usage is that of the replies that it copies, hidden ones left out', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two'])
  await lab.sessions.resend({ sessionId, messageId: ids[1] ?? '' }).then(async ({ runId }) => {
    await lab.chunksOf(sessionId, runId)
  })
  const visible = await lab.visible(sessionId)
  const branch = await lab.sessions.history.branch({ sessionId, fromMessageId: visible.at(-1)?.id ?? '' })
  const copied = await lab.everything(branch.id)
  const paid = copied.reduce((sum, { metadata }) => {
    const { input = 0, output = 0, reasoning = 0, cacheRead = 0, cacheWrite = 0 } = metadata?.usage ?? {}
    return sum + input + output + reasoning + cacheRead + cacheWrite
  }, 0)
  const view = await lab.session(branch.id)
  expect(copied).toHaveLength(4)
  expect(view.totalTokens).toBe(paid)
  expect(view.totalTokens).toBeLessThan((await lab.session(sessionId)).totalTokens)
  expect(view).toMatchObject({ canUnrewind: false, permissions: [], archivedAt: null })
})

test('BR-1 files, reasoning and calls are copied unchanged, and queued and cancelled messages are not', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await openTalk(lab, ['One'])
  const url = 'data:image/png;base64,iVBORw0KGgo='
  const parts = [
    { type: 'text' as const, text: 'See' },
    { type: 'file' as const, mediaType: 'image/png', url, filename: 'a.png' },
  ]
  const gate = Promise.withResolvers<void>()
  const asked = lab.provider.requests.length
  lab.provider.script(reply({ text: ['I', ' see.'], hold: { before: 1, until: gate.promise } }))
  const { runId = '' } = await lab.sessions.send({ sessionId, message: { parts } })
  await lab.provider.received(asked)
  const queued = await lab.say('Taken out', sessionId)
  await lab.sessions.queue.cancel(sessionId, queued.messageId)
  gate.resolve()
  await lab.chunksOf(sessionId, runId)
  const original = await lab.visible(sessionId)
  const fromMessageId = original.at(-1)?.id ?? ''
  const branch = await lab.sessions.history.branch({ sessionId, fromMessageId })
  expect(partsOf(await lab.everything(branch.id))).toEqual(partsOf(original))
  const cancelled = lab.sessions.history.branch({ sessionId, fromMessageId: queued.messageId })
  await expect(cancelled).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND', field: 'fromMessageId' })
})

test('BR-2 a branch is refused during a run of its parent, and no row of it is stored', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One'])
  const gate = Promise.withResolvers<void>()
  const asked = lab.provider.requests.length
  lab.provider.script(reply({ text: ['Slow', '.'], hold: { before: 1, until: gate.promise } }))
  const { runId } = await lab.say('Two', sessionId)
  await lab.provider.received(asked)
  const branching = lab.sessions.history.branch({ sessionId, fromMessageId: ids[0] ?? '' })
  await expect(branching).rejects.toMatchObject({ code: 'SESSION_BUSY' })
  expect((await lab.sessions.history.tree(sessionId)).children).toEqual([])
  expect(await lab.sessions.history.timeline(sessionId)).toEqual([])
  gate.resolve()
  await lab.chunksOf(sessionId, runId)
})

test('BR-3 a branch that names an unknown model, or metadata that is too large, is refused', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One'])
  const branch = (over: object) =>
    lab.sessions.history.branch({ sessionId, fromMessageId: ids[0] ?? '', ...over })
  await expect(branch({ model: { providerId: 'none', modelId: 'm' } })).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
  })
  await expect(branch({ metadata: { much: 'x'.repeat(1_000_000) } })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'metadata',
  })
  expect(await lab.sessions.history.timeline(sessionId)).toEqual([])
})

test('BR-4 the remaining branches of a deleted root are trees of their own', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, ids } = await openTalk(lab, ['One'])
  const { history } = lab.sessions
  const child = await history.branch({ sessionId, fromMessageId: ids[0] ?? '' })
  const copied = (await lab.visible(child.id))[0]?.id ?? ''
  const grandchild = await history.branch({ sessionId: child.id, fromMessageId: copied })
  await lab.sessions.delete(sessionId)
  const tree = await history.tree(grandchild.id)
  expect(tree).toMatchObject({
    ancestors: [child.id],
    root: { session: { id: child.id }, forkMessageId: null },
  })
  expect(await texts(lab, grandchild.id)).toEqual(['One'])
  expect((await history.tree(child.id)).siblings).toEqual([])
})

test('BR-4 a tree of any depth can be written as JSON, and holds every branch', async () => {
  await using lab = await openHistoryLab()
  const ids = Array.from({ length: 1_000 }, (_, level) => `s${level}`)
  for (const [level, id] of ids.entries()) {
    const session = { ...newSession(id), parentId: ids[level - 1] ?? null }
    await lab.ports.store.sessions.create(session)
  }
  const tree = await lab.sessions.history.tree('s999')
  expect(isNestedBeyond(tree, 500)).toBe(false)
  expect(tree.ancestors).toEqual(ids.slice(0, -1))
  const idsIn = (node: LineageNode): string[] => [node.session.id, ...node.children.flatMap(idsIn)]
  expect(idsIn(tree.root)).toEqual(ids)
})
