import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemorySnapshots } from '@palimpsest/testing/memory-snapshots.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { FileChoice } from '../../domain/workspace/file-journal.ts'
import { defineTool } from '../../tool/tool.ts'

const ROOT = '/workspace'

type Files = Record<string, string | null>

/** Chats in a folder, whose runs do to files what they are told. The first one is `sessionId`. */
async function openChat(before: Record<string, string> = {}) {
  const snapshots = createMemorySnapshots()
  const files = snapshots.filesOf(ROOT)
  function put(changes: Files) {
    for (const [path, text] of Object.entries(changes))
      if (text === null) files.delete(path)
      else files.set(path, text)
  }
  put(before)
  const tool = defineTool({
    id: 'put',
    description: 'Changes files',
    input: z.object({ files: z.record(z.string(), z.string().nullable()) }),
    changesFiles: true,
    requires: () => [{ permission: 'read', pattern: 'a' }],
    execute({ files: changes }) {
      put(changes)
      return Promise.resolve({ text: 'Done' })
    },
  })
  const lab = await openCoreLab({ snapshots }, { agent: { tools: [tool] } })
  const { id: sessionId } = await lab.sessions.create({ title: 'Chat' })
  const { changes, history } = lab.sessions
  const { move } = snapshots
  return {
    lab,
    changes,
    sessionId,
    put,
    now: () => Object.fromEntries([...files].toSorted()),
    async run(made: Files, chat = sessionId) {
      lab.provider.script(
        reply({ toolCalls: [{ name: 'put', input: { files: made } }] }),
        reply({ text: 'Done.' }),
      )
      return (await lab.turn('Work', chat)).runId
    },
    revert: (paths: string[], chat = sessionId) => changes.revert({ sessionId: chat, paths }),
    resolve: (operationId: string, choices: Record<string, FileChoice>) =>
      changes.resolve({
        sessionId,
        operationId,
        files: Object.entries(choices).map(([path, choice]) => ({ path, choice })),
      }),
    list: (chat = sessionId) => changes.list({ sessionId: chat }),
    async open() {
      return (await changes.list({ sessionId })).conflicts.map(({ path }) => path)
    },
    undo: (operationId: string) => history.unrewind({ sessionId, operationId }),
    /** From now on these files can't be written, as on a full disk; with none of them all can. */
    full(...paths: string[]) {
      snapshots.move = (root, file) =>
        paths.includes(file.path) ? Promise.reject(new Error('The disk is full')) : move(root, file)
    },
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  }
}

/** A chat that tried to take two files back which a person had changed since. */
async function openConflict() {
  const chat = await openChat({ 'a.txt': 'old', 'b.txt': 'old' })
  await chat.run({ 'a.txt': 'run', 'b.txt': 'run' })
  chat.put({ 'a.txt': 'mine', 'b.txt': 'mine' })
  const { operationId } = await chat.revert(['a.txt', 'b.txt'])
  return { ...chat, operationId }
}

const REFUSED = { code: 'FILES_PENDING', field: 'filesAsTheyAre' }

test.for([
  ['keep', 'kept', { 'a.txt': 'mine', 'b.txt': 'mine' }],
  ['restore', 'restored', { 'a.txt': 'old', 'b.txt': 'mine' }],
  ['both', 'beside', { 'a.restored.txt': 'old', 'a.txt': 'mine', 'b.txt': 'mine' }],
] as const)(
  'RW-12 an open conflict that is decided with %s is closed, the other one stays open, and the undo brings the files back',
  async ([choice, fate, expected]) => {
    await using chat = await openConflict()
    expect(await chat.open()).toEqual(['a.txt', 'b.txt'])
    const { operationId, fates } = await chat.resolve(chat.operationId, { 'a.txt': choice })
    expect(fates).toMatchObject([{ path: 'a.txt', fate }])
    expect(chat.now()).toEqual(expected)
    expect(await chat.open()).toEqual(['b.txt'])
    await chat.undo(operationId)
    expect(chat.now()).toEqual({ 'a.txt': 'mine', 'b.txt': 'mine' })
  },
)

test('RW-12 several conflicts are decided at once, each as it was chosen', async () => {
  await using chat = await openConflict()
  await chat.resolve(chat.operationId, { 'a.txt': 'restore', 'b.txt': 'keep' })
  expect(chat.now()).toEqual({ 'a.txt': 'old', 'b.txt': 'mine' })
  expect(await chat.open()).toEqual([])
})

test('RW-12 a conflict is decided once', async () => {
  await using chat = await openConflict()
  await chat.resolve(chat.operationId, { 'a.txt': 'keep' })
  await expect(chat.resolve(chat.operationId, { 'a.txt': 'restore' })).rejects.toMatchObject({
    code: 'CONFLICT',
    field: 'files.0.path',
  })
  expect(chat.now()['a.txt']).toBe('mine')
})

test('RW-12 one choice about what is no conflict refuses all of them', async () => {
  await using chat = await openConflict()
  await expect(
    chat.resolve(chat.operationId, { 'a.txt': 'restore', 'none.txt': 'restore' }),
  ).rejects.toMatchObject({ code: 'CONFLICT', field: 'files.1.path' })
  await expect(chat.resolve('op_none', { 'a.txt': 'restore' })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(chat.now()).toEqual({ 'a.txt': 'mine', 'b.txt': 'mine' })
  expect(await chat.open()).toEqual(['a.txt', 'b.txt'])
})

test('RW-12 another chat’s conflict can’t be decided', async () => {
  await using chat = await openConflict()
  const { id: other } = await chat.lab.sessions.create({ title: 'Other' })
  const files = [{ path: 'a.txt', choice: 'restore' as const }]
  await expect(
    chat.changes.resolve({ sessionId: other, operationId: chat.operationId, files }),
  ).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await chat.list(other)).conflicts).toEqual([])
})

test('RW-12 what a person saves after the operation is what the choice is about, and no version is lost', async () => {
  await using chat = await openConflict()
  chat.put({ 'a.txt': 'mine, later' })
  const { operationId } = await chat.resolve(chat.operationId, { 'a.txt': 'restore' })
  expect(chat.now()['a.txt']).toBe('old')
  await chat.undo(operationId)
  expect(chat.now()['a.txt']).toBe('mine, later')
})

test('RW-12 a conflict about a file that somebody has restored by hand since is closed, and nothing is moved', async () => {
  await using chat = await openConflict()
  chat.put({ 'a.txt': 'old' })
  expect((await chat.resolve(chat.operationId, { 'a.txt': 'both' })).fates).toEqual([])
  expect(chat.now()).toEqual({ 'a.txt': 'old', 'b.txt': 'mine' })
  expect(await chat.open()).toEqual(['b.txt'])
})

test('RW-12 a conflict is decided in each operation that named it', async () => {
  await using chat = await openConflict()
  const again = await chat.revert(['a.txt'])
  expect(await chat.open()).toEqual(['a.txt', 'b.txt', 'a.txt'])
  await chat.resolve(again.operationId, { 'a.txt': 'keep' })
  expect(await chat.open()).toEqual(['a.txt', 'b.txt'])
})

/** A chat of which one of two files could not be taken back. */
async function openPending() {
  const chat = await openChat({ 'a.txt': 'old', 'b.txt': 'old' })
  await chat.run({ 'a.txt': 'run', 'b.txt': 'run' })
  chat.full('a.txt')
  const { operationId } = await chat.revert(['a.txt', 'b.txt'])
  return { ...chat, operationId, pending: { operationId, paths: ['a.txt'] } }
}

test('RW-9 without anything pending there is nothing to settle', async () => {
  await using chat = await openChat()
  const { sessionId } = chat
  expect(await chat.changes.settle({ sessionId })).toEqual({ pending: null })
  expect(await chat.changes.settle({ sessionId, leave: true })).toEqual({ pending: null })
})

test('RW-9 a file that can’t be restored is pending while the others are restored, and is listed with its operation', async () => {
  await using chat = await openPending()
  expect(chat.now()).toEqual({ 'a.txt': 'run', 'b.txt': 'old' })
  expect((await chat.list()).pending).toEqual(chat.pending)
})

test('RW-9 while a file is pending messages and operations are refused, the first and the second time', async () => {
  await using chat = await openPending()
  const { sessionId, operationId } = chat
  const message = { parts: [{ type: 'text' as const, text: 'Go on' }] }
  for (const _ of [1, 2]) {
    await expect(chat.revert(['b.txt'])).rejects.toMatchObject(REFUSED)
    await expect(chat.resolve(operationId, { 'a.txt': 'keep' })).rejects.toMatchObject(REFUSED)
    await expect(chat.undo(operationId)).rejects.toMatchObject(REFUSED)
    await expect(chat.lab.sessions.send({ sessionId, message })).rejects.toMatchObject(REFUSED)
  }
  expect((await chat.list()).pending).toEqual(chat.pending)
})

test('RW-9 settling tries again: as long as that fails the file is pending, and then it is restored', async () => {
  await using chat = await openPending()
  const { sessionId } = chat
  expect(await chat.changes.settle({ sessionId })).toEqual({ pending: chat.pending })
  expect(await chat.changes.settle({ sessionId, leave: false })).toEqual({ pending: chat.pending })
  chat.full()
  expect(await chat.changes.settle({ sessionId })).toEqual({ pending: null })
  expect(chat.now()).toEqual({ 'a.txt': 'old', 'b.txt': 'old' })
  await chat.undo(chat.operationId)
  expect(chat.now()).toEqual({ 'a.txt': 'run', 'b.txt': 'run' })
})

test('RW-9 the next operation restores what is pending before, without being asked to', async () => {
  await using chat = await openPending()
  chat.full()
  await chat.undo(chat.operationId)
  expect(chat.now()).toEqual({ 'a.txt': 'run', 'b.txt': 'run' })
  expect((await chat.list()).pending).toBeNull()
})

test('RW-9 what is given up stays as it is for good, and messages and operations go on', async () => {
  await using chat = await openPending()
  const { sessionId } = chat
  expect(await chat.changes.settle({ sessionId, leave: true })).toEqual({ pending: null })
  chat.full()
  expect(await chat.changes.settle({ sessionId })).toEqual({ pending: null })
  await chat.run({ 'c.txt': '1' })
  expect(chat.now()).toEqual({ 'a.txt': 'run', 'b.txt': 'old', 'c.txt': '1' })
  expect((await chat.revert(['a.txt'])).fates).toEqual([{ path: 'a.txt', fate: 'restored' }])
})

test('RW-9 what can be restored by now is not given up', async () => {
  await using chat = await openPending()
  chat.full()
  await chat.changes.settle({ sessionId: chat.sessionId, leave: true })
  expect(chat.now()).toEqual({ 'a.txt': 'old', 'b.txt': 'old' })
})

test('RW-12 a pending file that a person saves meanwhile stays, and is a conflict when it is settled', async () => {
  await using chat = await openPending()
  chat.put({ 'a.txt': 'mine' })
  chat.full()
  expect(await chat.changes.settle({ sessionId: chat.sessionId })).toEqual({ pending: null })
  expect(chat.now()).toEqual({ 'a.txt': 'mine', 'b.txt': 'old' })
  expect(await chat.open()).toEqual(['a.txt'])
  await chat.resolve(chat.operationId, { 'a.txt': 'restore' })
  expect(chat.now()).toEqual({ 'a.txt': 'old', 'b.txt': 'old' })
})

test('RW-9 pending files of one chat neither stop another one nor are settled by it', async () => {
  await using chat = await openPending()
  const { id: other } = await chat.lab.sessions.create({ title: 'Other' })
  await chat.run({ 'c.txt': '1' }, other)
  expect((await chat.list(other)).pending).toBeNull()
  expect(await chat.changes.settle({ sessionId: other, leave: true })).toEqual({ pending: null })
  expect((await chat.revert(['c.txt'], other)).fates).toEqual([{ path: 'c.txt', fate: 'restored' }])
  expect((await chat.list()).pending).toEqual(chat.pending)
})

test('RW-9 a choice that can’t be carried out is pending, and its conflict is decided', async () => {
  await using chat = await openConflict()
  chat.full('a.txt')
  await chat.resolve(chat.operationId, { 'a.txt': 'restore' })
  expect(chat.now()['a.txt']).toBe('mine')
  expect((await chat.list()).pending?.paths).toEqual(['a.txt'])
  expect(await chat.open()).toEqual(['b.txt'])
  chat.full()
  await chat.changes.settle({ sessionId: chat.sessionId })
  expect(chat.now()['a.txt']).toBe('old')
})
