import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { fileChangeRow } from '@palimpsest/testing/file-change-row.ts'
import { createMemorySnapshots } from '@palimpsest/testing/memory-snapshots.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { FileChoice, NewFileChange } from '../../domain/workspace/file-journal.ts'
import { defineTool } from '../../tool/tool.ts'

const ROOT = '/workspace'

type Files = Record<string, string | null>

/** A chat in a folder, whose runs do to files what they are told; `during` happens in the middle of a call. */
async function openChat(before: Record<string, string> = {}) {
  const snapshots = createMemorySnapshots()
  const files = snapshots.filesOf(ROOT)
  let during: () => Promise<void> = () => Promise.resolve()
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
    async execute({ files: changes }) {
      put(changes)
      await during()
      return { text: 'Done' }
    },
  })
  const lab = await openCoreLab({ snapshots }, { agent: { tools: [tool] } })
  const { id: sessionId } = await lab.sessions.create({ title: 'Chat' })
  const { changes, history } = lab.sessions
  type Revert = Omit<Parameters<typeof changes.revert>[0], 'sessionId'>
  return {
    lab,
    snapshots,
    sessionId,
    changes,
    put,
    during(act: () => Promise<void>) {
      during = act
    },
    now: () => Object.fromEntries([...files].toSorted()),
    async run(made: Files) {
      lab.provider.script(
        reply({ toolCalls: [{ name: 'put', input: { files: made } }] }),
        reply({ text: 'Done.' }),
      )
      return (await lab.turn('Work', sessionId)).runId
    },
    async note(change: Partial<NewFileChange>) {
      const { ordinal: _, ...row } = fileChangeRow({ sessionId, madeIn: sessionId, root: ROOT, ...change })
      await lab.ports.store.fileChanges.add([row])
    },
    state: async (text: string) => ({
      id: await snapshots.keep(ROOT, new TextEncoder().encode(text)),
      mode: '100644' as const,
    }),
    revert: (input: Revert) => changes.revert({ sessionId, ...input }),
    undo: (operationId: string) => history.unrewind({ sessionId, operationId }),
    timeline: () => history.timeline(sessionId),
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  }
}

test('RW-11 what a chat has done to files is taken back whatever that was, other files stay, and the undo brings all of it again', async () => {
  await using chat = await openChat({ changed: '0', deleted: '0', mine: '0' })
  await chat.run({ changed: '1', deleted: null, made: '1', other: '1' })
  await chat.run({ changed: '2' })
  const left = chat.now()
  const { fates, operationId } = await chat.revert({ paths: ['changed', 'deleted', 'made'] })
  expect(fates).toEqual(['changed', 'deleted', 'made'].map((path) => ({ path, fate: 'restored' })))
  expect(chat.now()).toEqual({ changed: '0', deleted: '0', mine: '0', other: '1' })
  await chat.undo(operationId)
  expect(chat.now()).toEqual(left)
})

test('RW-11 what a run has done is taken back to before that run', async () => {
  await using chat = await openChat({ a: '0' })
  await chat.run({ a: '1', b: '1' })
  const second = await chat.run({ a: '2' })
  await chat.revert({ paths: ['a'], runId: second })
  expect(chat.now()).toEqual({ a: '1', b: '1' })
  await expect(chat.revert({ paths: ['b'], runId: second })).rejects.toMatchObject({ field: 'paths.0' })
  await expect(chat.revert({ paths: ['a'], runId: 'none' })).rejects.toMatchObject({ field: 'paths.0' })
})

test('RW-11 taking back changes no message, and is an operation with the number of its files', async () => {
  await using chat = await openChat()
  await chat.run({ a: '1', b: '1', c: '1' })
  const messages = async () => (await chat.lab.sessions.messages({ sessionId: chat.sessionId })).items
  const before = await messages()
  const { operationId } = await chat.revert({ paths: ['a', 'b'] })
  expect(await messages()).toEqual(before)
  expect(await chat.timeline()).toMatchObject([
    { id: operationId, kind: 'revert', canUndo: true, detail: { fileCount: 2 } },
  ])
})

test('RW-11 what is taken back already stays so: a second time restores nothing', async () => {
  await using chat = await openChat({ a: '0' })
  await chat.run({ a: '1' })
  await chat.revert({ paths: ['a'] })
  expect((await chat.revert({ paths: ['a'] })).fates).toEqual([])
  expect(chat.now()).toEqual({ a: '0' })
  await chat.run({ a: '2' })
  expect((await chat.revert({ paths: ['a'] })).fates).toEqual([{ path: 'a', fate: 'restored' }])
  expect(chat.now()).toEqual({ a: '0' })
})

test('RW-11 a run after it sees the file as it was, and a rewind past both leads to before the chat', async () => {
  await using chat = await openChat({ a: '0' })
  await chat.run({ a: '1' })
  await chat.revert({ paths: ['a'] })
  await chat.run({ a: '2' })
  const [first] = (await chat.lab.sessions.messages({ sessionId: chat.sessionId })).items
  await chat.lab.sessions.history.rewind({ sessionId: chat.sessionId, messageId: first?.id ?? '' })
  expect(chat.now()).toEqual({ a: '0' })
})

test.for([
  [undefined, 'conflict', { 'a.txt': 'mine' }],
  ['keep', 'kept', { 'a.txt': 'mine' }],
  ['restore', 'restored', { 'a.txt': 'old' }],
  ['both', 'beside', { 'a.restored.txt': 'old', 'a.txt': 'mine' }],
] as const)(
  'RW-12 a file that a person has changed since: with the choice %s it is a %s, and the undo brings their version back',
  async ([choice, fate, expected]) => {
    await using chat = await openChat({ 'a.txt': 'old' })
    await chat.run({ 'a.txt': 'run' })
    chat.put({ 'a.txt': 'mine' })
    const files = choice === undefined ? {} : { files: [{ path: 'a.txt', choice: choice as FileChoice }] }
    const { fates, operationId } = await chat.revert({ paths: ['a.txt'], ...files })
    expect(fates).toMatchObject([{ path: 'a.txt', fate }])
    expect(chat.now()).toEqual(expected)
    await chat.undo(operationId)
    expect(chat.now()).toEqual({ 'a.txt': 'mine' })
  },
)

test('RW-12 of several files only the one that a person has changed stays, and a choice about it moves no other', async () => {
  await using chat = await openChat({ a: '0', b: '0' })
  await chat.run({ a: '1', b: '1' })
  chat.put({ a: 'mine' })
  const { fates } = await chat.revert({
    paths: ['a', 'b'],
    files: [
      { path: 'b', choice: 'keep' },
      { path: 'none', choice: 'restore' },
    ],
  })
  expect(fates).toEqual([
    { path: 'a', fate: 'conflict' },
    { path: 'b', fate: 'restored' },
  ])
  expect(chat.now()).toEqual({ a: 'mine', b: '0' })
})

test.for([
  ['made', 'restored', {}],
  ['uncertain', 'conflict', { a: '1' }],
] as const)('RW-12 a change that is %s: the file is %s', async ([status, fate, expected]) => {
  await using chat = await openChat()
  chat.put({ a: '1' })
  await chat.note({ path: 'a', before: null, after: await chat.state('1'), status })
  expect((await chat.revert({ paths: ['a'] })).fates).toEqual([{ path: 'a', fate }])
  expect(chat.now()).toEqual(expected)
})

test('RW-12 a run is taken back without its file when a later change of that is uncertain', async () => {
  await using chat = await openChat()
  chat.put({ a: '2' })
  const [one, two] = [await chat.state('1'), await chat.state('2')]
  await chat.note({ path: 'a', before: null, after: one, runId: 'run_1' })
  await chat.note({ path: 'a', before: one, after: two, runId: 'run_2', status: 'uncertain' })
  const { fates } = await chat.revert({ paths: ['a'], runId: 'run_1' })
  expect(fates).toEqual([{ path: 'a', fate: 'conflict' }])
  expect(chat.now()).toEqual({ a: '2' })
})

test('RW-12 a version that is saved right before the file is moved stays, and is a conflict', async () => {
  await using chat = await openChat({ a: '0' })
  await chat.run({ a: '1' })
  const { move } = chat.snapshots
  chat.snapshots.move = (...args) => {
    chat.put({ a: 'mine' })
    return move(...args)
  }
  const { fates, operationId } = await chat.revert({ paths: ['a'] })
  expect(fates).toEqual([{ path: 'a', fate: 'conflict' }])
  expect(chat.now()).toEqual({ a: 'mine' })
  const { conflicts } = await chat.changes.list({ sessionId: chat.sessionId })
  expect(conflicts).toMatchObject([{ operationId, path: 'a' }])
})

const BAD = [
  [{}, 'paths'],
  [{ paths: ['a'], hunks: [{ path: 'a', hunks: [0] }] }, 'paths'],
  [{ paths: ['a', 'none'] }, 'paths.1'],
  [{ hunks: [{ path: 'none', hunks: [0] }] }, 'hunks.0.path'],
  [
    {
      hunks: [
        { path: 'a', hunks: [0] },
        { path: 'a', hunks: [1] },
      ],
    },
    'hunks.1.hunks',
  ],
  [{ hunks: [{ path: 'a', hunks: [-1] }] }, 'hunks.0.hunks'],
] as const

test.for(BAD)('RW-11 %j is refused with its field %s, and nothing is done', async ([input, field]) => {
  await using chat = await openChat({ a: '0\n' })
  await chat.run({ a: '1\n' })
  const left = chat.now()
  await expect(chat.revert(structuredClone(input) as never)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field,
  })
  expect(chat.now()).toEqual(left)
  expect(await chat.timeline()).toEqual([])
})

test('RW-11 a file that only a person has changed can’t be taken back', async () => {
  await using chat = await openChat({ mine: '0' })
  await chat.note({ path: 'mine', author: 'person', messageId: null, runId: null, toolCallId: null })
  await expect(chat.revert({ paths: ['mine'] })).rejects.toMatchObject({ field: 'paths.0' })
})

test.for([
  ['that the chat has made', { a: null }, { a: '1\n' }],
  ['that the chat has deleted', { a: '0\n' }, { a: null }],
  ['that is no text now', { a: '0\n' }, { a: '\0' }],
  ['that was no text before', { a: '\0' }, { a: '1\n' }],
] as const)('RW-11 of a file %s no parts are taken back, all of it is', async ([, before, made]) => {
  await using chat = await openChat()
  chat.put(before)
  const start = chat.now()
  await chat.run(made)
  const left = chat.now()
  await expect(chat.revert({ hunks: [{ path: 'a', hunks: [0] }] })).rejects.toMatchObject({
    code: 'CONFLICT',
    field: 'hunks.0.hunks',
  })
  expect(chat.now()).toEqual(left)
  await chat.revert({ paths: ['a'] })
  expect(chat.now()).toEqual(start)
})

test('RW-11 parts of a run are taken back as they are between before it and now', async () => {
  const text = (first: string, last: string) => `${first}\n${'same\n'.repeat(20)}${last}\n`
  await using chat = await openChat({ a: text('0', '0') })
  await chat.run({ a: text('1', '0') })
  const second = await chat.run({ a: text('1', '2') })
  await expect(chat.revert({ runId: second, hunks: [{ path: 'a', hunks: [1] }] })).rejects.toMatchObject({
    field: 'hunks.0.hunks',
  })
  await chat.revert({ runId: second, hunks: [{ path: 'a', hunks: [0] }] })
  expect(chat.now()).toEqual({ a: text('1', '0') })
})

test('RW-11 whatever parts are taken back, a difference then has the others alone, and the undo brings these back', async () => {
  const text = (marks: readonly string[]) =>
    marks.map((mark) => `${mark}\n${'same\n'.repeat(10)}`).join('end\n')
  const marks = ['a', 'b', 'c', 'd']
  await fc.assert(
    fc.asyncProperty(fc.subarray([0, 1, 2, 3], { minLength: 1 }), async (hunks) => {
      await using chat = await openChat({ a: text(marks) })
      await chat.run({ a: text(marks.map((mark) => `${mark}, changed`)) })
      const left = chat.now()
      const { operationId } = await chat.revert({ hunks: [{ path: 'a', hunks }] })
      expect(chat.now()).toEqual({
        a: text(marks.map((mark, at) => (hunks.includes(at) ? mark : `${mark}, changed`))),
      })
      const diff = await chat.changes.diff({ sessionId: chat.sessionId, path: 'a' })
      expect(diff.hunks).toBe(4 - hunks.length)
      await chat.undo(operationId)
      expect(chat.now()).toEqual(left)
    }),
    { numRuns: 10 },
  )
})

test('RW-11 what a difference counts as one part is taken back as one, also of a file with thousands of changed lines', async () => {
  const text = (word: string) =>
    Array.from({ length: 3_000 }, (_, at) => `${word} ${at}\n${'same\n'.repeat(8)}`)
  await using chat = await openChat({ a: text('old').join('') })
  await chat.run({ a: text('new').join('') })
  const { hunks } = await chat.changes.diff({ sessionId: chat.sessionId, path: 'a' })
  const all = Array.from({ length: hunks }, (_, at) => at)
  await chat.revert({ hunks: [{ path: 'a', hunks: all }] })
  expect(chat.now()).toEqual({ a: text('old').join('') })
})

test('RW-11 while a run works nothing is taken back, and everything can be read', async () => {
  await using chat = await openChat({ a: '0' })
  await chat.run({ a: '1' })
  const found: unknown[] = []
  const { sessionId } = chat
  chat.during(async () => {
    const busy = [
      chat.revert({ paths: ['a'] }),
      chat.changes.resolve({ sessionId, operationId: 'op', files: [{ path: 'a', choice: 'keep' }] }),
      chat.changes.settle({ sessionId }),
    ]
    for (const result of await Promise.allSettled(busy))
      found.push(result.status === 'rejected' ? result.reason.code : result.status)
    found.push((await chat.changes.list({ sessionId })).files.map(({ path }) => path))
    found.push((await chat.changes.diff({ sessionId, path: 'a' })).change?.added)
  })
  await chat.run({ b: '1' })
  expect(found).toEqual(['SESSION_BUSY', 'SESSION_BUSY', 'SESSION_BUSY', ['a'], 1])
  expect(chat.now()).toEqual({ a: '1', b: '1' })
})
