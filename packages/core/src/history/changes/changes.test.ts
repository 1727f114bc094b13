import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { fileChangeRow } from '@palimpsest/testing/file-change-row.ts'
import { createMemorySnapshots } from '@palimpsest/testing/memory-snapshots.ts'
import { createMemoryWorkspaces } from '@palimpsest/testing/memory-workspaces.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { NewFileChange } from '../../domain/workspace/file-journal.ts'
import { defineTool } from '../../tool/tool.ts'

const ROOT = '/workspace'

type Files = Record<string, string | null>

/** A chat in a folder, whose runs do to files what they are told. */
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
  const { changes } = lab.sessions
  return {
    lab,
    snapshots,
    sessionId,
    changes,
    put,
    async run(made: Files) {
      lab.provider.script(
        reply({ toolCalls: [{ name: 'put', input: { files: made } }] }),
        reply({ text: 'Done.' }),
      )
      return (await lab.turn('Work', sessionId)).runId
    },
    /** A row of the journal of this chat, in its folder. */
    async note(change: Partial<NewFileChange>) {
      const { ordinal: _, ...row } = fileChangeRow({ sessionId, madeIn: sessionId, root: ROOT, ...change })
      await lab.ports.store.fileChanges.add([row])
    },
    state: async (text: string) => ({
      id: await snapshots.keep(ROOT, new TextEncoder().encode(text)),
      mode: '100644' as const,
    }),
    list: (runId?: string) => changes.list({ sessionId, ...(runId !== undefined && { runId }) }),
    async files(runId?: string) {
      const { files: found } = await changes.list({ sessionId, ...(runId !== undefined && { runId }) })
      return Object.fromEntries(found.map(({ path, entries: _, ...file }) => [path, file]))
    },
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  }
}

test('RW-11 a chat that has changed nothing has an empty list and an empty patch', async () => {
  await using chat = await openChat({ a: '1\n' })
  await chat.run({})
  expect(await chat.list()).toEqual({
    coverage: 'all',
    files: [],
    notKept: [],
    conflicts: [],
    pending: null,
  })
  expect(await chat.changes.patch({ sessionId: chat.sessionId })).toEqual({ patch: '' })
})

test('RW-11 each file is listed with its kind and its lines, from before the first change until after the last', async () => {
  await using chat = await openChat({ changed: 'a\nb\n', deleted: 'x\ny\n', back: '1\n', untouched: '1\n' })
  await chat.run({ made: 'one\n', changed: 'a\nB\n', deleted: null, back: '2\n', brief: 'here\n' })
  await chat.run({ made: 'one\ntwo\n', back: '1\n', brief: null })
  expect(await chat.files()).toEqual({
    made: { change: 'created', lines: { added: 2, removed: 0 }, now: 'as-left' },
    changed: { change: 'changed', lines: { added: 1, removed: 1 }, now: 'as-left' },
    deleted: { change: 'deleted', lines: { added: 0, removed: 2 }, now: 'as-left' },
    back: { change: 'unchanged', lines: { added: 0, removed: 0 }, now: 'as-left' },
    brief: { change: 'unchanged', lines: { added: 0, removed: 0 }, now: 'as-left' },
  })
})

test('RW-11 the list of a run has its changes alone', async () => {
  await using chat = await openChat()
  const first = await chat.run({ a: '1\n', only: '1\n' })
  const second = await chat.run({ a: '1\n2\n', other: '1\n' })
  const kinds = async (runId?: string) =>
    Object.entries(await chat.files(runId)).map(([path, { change, lines }]) => [path, change, lines?.added])
  expect(await kinds(first)).toEqual([
    ['a', 'created', 1],
    ['only', 'created', 1],
  ])
  expect(await kinds(second)).toEqual([
    ['a', 'changed', 1],
    ['other', 'created', 1],
  ])
  expect(await kinds()).toEqual([
    ['a', 'created', 2],
    ['only', 'created', 1],
    ['other', 'created', 1],
  ])
  expect(await kinds('run_of_none')).toEqual([])
})

test('RW-11 a file is as the chat left it, was changed since, or is gone', async () => {
  await using chat = await openChat({ deleted: '1', returned: '1' })
  await chat.run({ same: '1', saved: '1', gone: '1', deleted: null, returned: null })
  chat.put({ saved: 'mine', gone: null, returned: 'mine' })
  const found = Object.entries(await chat.files()).map(([path, { now }]) => [path, now])
  expect(Object.fromEntries(found)).toEqual({
    same: 'as-left',
    saved: 'changed-since',
    gone: 'gone',
    deleted: 'as-left',
    returned: 'changed-since',
  })
})

test('RW-11 what a person has saved between calls is an entry of a file that the chat has changed, and no file by itself', async () => {
  await using chat = await openChat({ mine: '0' })
  const first = await chat.run({ a: '1' })
  chat.put({ a: '2', mine: '1' })
  const second = await chat.run({ a: '3' })
  const { files } = await chat.list()
  expect(files.map(({ path }) => path)).toEqual(['a'])
  expect(files[0]?.entries.map(({ author, runId }) => [author, runId])).toEqual([
    ['call', first],
    ['person', null],
    ['call', second],
  ])
  const ordinals = files[0]?.entries.map(({ ordinal }) => ordinal) ?? []
  expect(ordinals).toEqual(ordinals.toSorted((x, y) => x - y))
})

test('RW-11 changes in another folder than the chat’s are not listed', async () => {
  await using chat = await openChat()
  await chat.note({ root: '/other', path: 'a' })
  await chat.note({ root: `${ROOT}/inner`, path: 'b' })
  expect((await chat.list()).files).toEqual([])
  await expect(chat.changes.diff({ sessionId: chat.sessionId, path: 'a' })).rejects.toMatchObject({
    field: 'path',
  })
})

test('RW-10 what is not kept is named in the list of the chat and in that of its run, not in another one’s', async () => {
  await using chat = await openChat()
  await chat.note({ path: 'big', status: 'not-kept', reason: 'too-large', runId: 'run_1' })
  const named = [{ path: 'big', reason: 'too-large', toolCallId: 'call_1', messageId: 'msg_1' }]
  expect((await chat.list()).notKept).toEqual(named)
  expect((await chat.list('run_1')).notKept).toEqual(named)
  expect((await chat.list('run_2')).notKept).toEqual([])
  expect((await chat.list()).files).toEqual([])
})

test.for([
  ['that is no text', 'a\0b', null],
  ['of exactly a million bytes', 'x'.repeat(1_000_000), { added: 1, removed: 0 }],
  ['of one byte more', 'x'.repeat(1_000_001), null],
] as const)(
  'RW-11 the lines of a file %s are counted as far as that is possible',
  async ([, content, lines]) => {
    await using chat = await openChat()
    await chat.note({ path: 'a', after: await chat.state(content), runId: 'run_1' })
    chat.put({ a: content })
    expect((await chat.files())['a']).toEqual({ change: 'created', lines, now: 'as-left' })
    const diff = await chat.changes.diff({ sessionId: chat.sessionId, path: 'a' })
    expect([diff.change === null, diff.hunks]).toEqual([lines === null, lines === null ? 0 : 1])
    expect(diff.after).toEqual({ mode: '100644', bytes: content.length })
  },
)

test('RW-11 of three hundred files lines are counted, and every further one is named', async () => {
  await using chat = await openChat()
  for (let at = 0; at <= 300; at++) await chat.note({ path: `f${at}`, after: await chat.state('1\n') })
  const { files } = await chat.list()
  expect(files).toHaveLength(301)
  expect(files.filter(({ lines }) => lines === null).map(({ path }) => path)).toEqual(['f300'])
})

test('RW-11 a difference is that between any two moments, and from the start until now without them', async () => {
  await using chat = await openChat({ a: '0\n' })
  const first = await chat.run({ a: '1\n' })
  const second = await chat.run({ a: '2\n' })
  chat.put({ a: '3\n' })
  const [one] = (await chat.list()).files[0]?.entries ?? []
  const of = async (moments: Partial<Parameters<typeof chat.changes.diff>[0]>) =>
    (await chat.changes.diff({ sessionId: chat.sessionId, path: 'a', ...moments })).change?.diff
      .split('\n')
      .filter((line) => /^[-+]\d/.test(line))
  expect(await of({})).toEqual(['-0', '+3'])
  expect(await of({ to: { at: 'after-run', runId: first } })).toEqual(['-0', '+1'])
  expect(await of({ from: { at: 'before-run', runId: second } })).toEqual(['-1', '+3'])
  expect(
    await of({ from: { at: 'before-run', runId: second }, to: { at: 'after-run', runId: second } }),
  ).toEqual(['-1', '+2'])
  expect(await of({ from: { at: 'change', ordinal: one?.ordinal ?? 0 } })).toEqual(['-1', '+3'])
  expect(await of({ from: { at: 'now' }, to: { at: 'start' } })).toEqual(['-3', '+0'])
  expect(await of({ from: { at: 'now' } })).toEqual([])
})

test('RW-11 a difference says what is on each side, and nothing of a file that is not there', async () => {
  await using chat = await openChat()
  await chat.run({ a: 'é\n' })
  const at = { sessionId: chat.sessionId, path: 'a' }
  expect(await chat.changes.diff(at)).toMatchObject({ before: null, after: { mode: '100644', bytes: 3 } })
  chat.put({ a: null })
  expect(await chat.changes.diff(at)).toMatchObject({ before: null, after: null, hunks: 0 })
})

test.for([
  [{ path: 'b' }, 'path'],
  [{ path: 'a', from: { at: 'before-run', runId: 'none' } }, 'from'],
  [{ path: 'a', to: { at: 'after-run', runId: 'none' } }, 'to'],
  [{ path: 'a', to: { at: 'change', ordinal: 0 } }, 'to'],
] as const)('RW-11 a difference of %j is refused with its field %s', async ([input, field]) => {
  await using chat = await openChat({ b: '1' })
  await chat.run({ a: '1' })
  await expect(chat.changes.diff({ sessionId: chat.sessionId, ...input })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field,
  })
})

test('RW-11 a patch is from before the first change until after the last, of the chat, of a run, or of some paths', async () => {
  await using chat = await openChat({ a: '0\n', b: '0\n', back: '0\n', gone: '0\n' })
  await chat.run({ a: '1\n', b: '1\n', back: '1\n', bytes: '\0' })
  const second = await chat.run({ a: '2\n', back: '0\n', gone: null })
  chat.put({ a: 'mine\n' })
  const { sessionId } = chat
  const of = async (input: { runId?: string; paths?: string[] }) =>
    (await chat.changes.patch({ sessionId, ...input })).patch
      .split('\n')
      .filter((line) => /^(diff|[-+]\w)/.test(line))
  const [a, b] = ['diff --git a/a b/a', 'diff --git a/b b/b']
  const gone = ['diff --git a/gone b/gone', '-0']
  expect(await of({})).toEqual([a, '-0', '+2', b, '-0', '+1', ...gone])
  expect(await of({ runId: second })).toEqual([
    a,
    '-1',
    '+2',
    'diff --git a/back b/back',
    '-1',
    '+0',
    ...gone,
  ])
  expect(await of({ paths: ['b', 'none'] })).toEqual([b, '-0', '+1'])
  expect(await of({ runId: second, paths: ['b'] })).toEqual([])
  expect(await of({ paths: [] })).toEqual([])
})

test('RW-5 a chat without a folder has no changes, and a difference or an operation of it is refused', async () => {
  await using lab = await openCoreLab({
    snapshots: createMemorySnapshots(),
    workspaces: createMemoryWorkspaces([]),
  })
  const { id: sessionId } = await lab.sessions.create({ title: 'Chat' })
  const { changes } = lab.sessions
  expect(await changes.list({ sessionId })).toMatchObject({ coverage: 'none', files: [] })
  expect(await changes.patch({ sessionId })).toEqual({ patch: '' })
  expect(await changes.settle({ sessionId })).toEqual({ pending: null })
  const refused = { code: 'INVALID_INPUT', field: 'sessionId' }
  await expect(changes.diff({ sessionId, path: 'a' })).rejects.toMatchObject(refused)
  await expect(changes.revert({ sessionId, paths: ['a'] })).rejects.toMatchObject(refused)
  const files = [{ path: 'a', choice: 'keep' as const }]
  await expect(changes.resolve({ sessionId, operationId: 'op', files })).rejects.toMatchObject(refused)
})

test('RW-5 without a snapshot layer nothing is listed; in a folder that is not captured whole, write and edit are', async () => {
  await using bare = await openCoreLab()
  const { id: sessionId } = await bare.sessions.create({ title: 'Chat' })
  expect((await bare.sessions.changes.list({ sessionId })).coverage).toBe('none')
  await using chat = await openChat()
  expect((await chat.list()).coverage).toBe('all')
  chat.snapshots.uncover()
  await chat.note({ path: 'a' })
  const { coverage, files } = await chat.list()
  expect([coverage, files.length]).toEqual(['write-and-edit', 1])
})

test('RW-11 every question about a chat that is not there is refused', async () => {
  await using lab = await openCoreLab({ snapshots: createMemorySnapshots() })
  const { changes } = lab.sessions
  const sessionId = 'none'
  const files = [{ path: 'a', choice: 'keep' as const }]
  const asked = [
    changes.list({ sessionId }),
    changes.diff({ sessionId, path: 'a' }),
    changes.patch({ sessionId }),
    changes.revert({ sessionId, paths: ['a'] }),
    changes.resolve({ sessionId, operationId: 'op', files }),
    changes.settle({ sessionId }),
  ]
  for (const { status, ...rest } of await Promise.allSettled(asked))
    expect([status, rest]).toMatchObject(['rejected', { reason: { code: 'SESSION_NOT_FOUND' } }])
})

test('RW-11 whatever calls have done to a file, its kind is always that of its first and its last state', async () => {
  const content = fc.constantFrom('1\n', '2\n', null)
  await fc.assert(
    fc.asyncProperty(content, fc.array(content, { minLength: 1, maxLength: 6 }), async (start, then) => {
      await using chat = await openChat()
      let before = start
      for (const after of then) {
        const states = [before, after].map((text) => (text === null ? null : chat.state(text)))
        const [from = null, to = null] = await Promise.all(states)
        await chat.note({ path: 'a', before: from, after: to })
        before = after
      }
      const expected =
        start === before ? 'unchanged' : start === null ? 'created' : before === null ? 'deleted' : 'changed'
      expect((await chat.files())['a']?.change).toBe(expected)
    }),
    { numRuns: 20 },
  )
})
