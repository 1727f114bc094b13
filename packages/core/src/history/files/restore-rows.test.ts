import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { fileChangeRow } from '@palimpsest/testing/file-change-row.ts'
import { createMemorySnapshots } from '@palimpsest/testing/memory-snapshots.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { expect, test } from 'vitest'
import type { FileChangeRow, FileState, NewFileChange } from '../../domain/workspace/file-journal.ts'
import { systemClock } from '../../live/system-clock.ts'
import type { Snapshots } from '../../ports/index.ts'
import { cleanUp, restoreRows } from './restore-rows.ts'

const ROOT = '/w'

/** A session, a folder with these files, and what restores rows in it. */
async function place(files: Record<string, string>) {
  const [store, snapshots] = [await createMemoryStore(), createMemorySnapshots()]
  const onDisk = snapshots.filesOf(ROOT)
  for (const [path, text] of Object.entries(files)) onDisk.set(path, text)
  const now = systemClock.now()
  await store.sessions.create({
    id: 'chat',
    title: 'Chat',
    agent: 'agent',
    workspaceRoot: ROOT,
    workerId: null,
    model: null,
    permissions: [],
    metadata: {},
    parentId: null,
    parentMessageId: null,
    createdAt: now,
    updatedAt: now,
  } as never)
  const state = async (text: string | null): Promise<FileState | null> =>
    text === null ? null : { id: await snapshots.keep(ROOT, new TextEncoder().encode(text)), mode: '100644' }
  const known: [path: string, state: FileState | null][] = []
  const recorder = {
    known: (_: string, path: string, left: FileState | null) => void known.push([path, left]),
  }
  return {
    store,
    snapshots,
    onDisk,
    known,
    state,
    /** A stored pending row that takes a file from a text to another. */
    async pending(path: string, before: string | null, after: string | null): Promise<FileChangeRow> {
      const { ordinal: _, ...row } = fileChangeRow({
        ...{ author: 'operation', operationId: 'op_1', toolCallId: null, runId: null, messageId: null },
        ...{ root: ROOT, path, status: 'pending', before: await state(before), after: await state(after) },
      })
      const [ordinal = 0] = await store.fileChanges.add([row satisfies NewFileChange])
      return { ...row, ordinal }
    },
    restore: (rows: readonly FileChangeRow[], layer: Snapshots = snapshots) =>
      restoreRows(rows, recorder as never, {
        store,
        snapshots: layer,
        clock: systemClock,
        logger: silentLogger,
      }),
    clean: (rows: readonly FileChangeRow[], layer: Snapshots = snapshots) =>
      cleanUp(ROOT, rows, { store, snapshots: layer, clock: systemClock, logger: silentLogger }),
    stored: () => store.fileChanges.ofSession('chat', 0),
  }
}

test('RW-9 a pending file is restored, its row is made, and the recorder knows its state', async () => {
  const { pending, restore, onDisk, known, stored, state } = await place({ 'a.txt': 'ours' })
  const done = await restore([await pending('a.txt', 'ours', 'before')])
  expect(onDisk.get('a.txt')).toBe('before')
  expect(done).toMatchObject([{ path: 'a.txt', status: 'made' }])
  expect(await stored()).toMatchObject([{ status: 'made' }])
  expect(known).toEqual([['a.txt', await state('before')]])
})

test.for([
  ['made', null, 'before'],
  ['removed', 'ours', null],
] as const)('RW-9 a file can be %s', async ([, before, after]) => {
  const { pending, restore, onDisk } = await place(before === null ? {} : { 'a.txt': before })
  await restore([await pending('a.txt', before, after)])
  expect(onDisk.get('a.txt') ?? null).toBe(after)
})

test('RW-9 a file that is restored already is made: it can be done again after an end in the middle', async () => {
  const { pending, restore, onDisk } = await place({ 'a.txt': 'before' })
  const row = await pending('a.txt', 'ours', 'before')
  expect(await restore([row])).toMatchObject([{ status: 'made' }])
  expect(await restore([row])).toMatchObject([{ status: 'made' }])
  expect(onDisk.get('a.txt')).toBe('before')
})

test('RW-12 a file that was saved since the plan stays, and its row is a conflict with that version', async () => {
  const { pending, restore, onDisk, stored, state, known } = await place({ 'a.txt': 'theirs' })
  const done = await restore([await pending('a.txt', 'ours', 'before')])
  expect(onDisk.get('a.txt')).toBe('theirs')
  expect(done).toMatchObject([{ status: 'conflict', before: await state('theirs') }])
  expect(await stored()).toMatchObject([{ status: 'conflict', before: await state('theirs') }])
  expect(known).toEqual([])
})

test('RW-9 one conflict keeps no other file from being restored', async () => {
  const { pending, restore, onDisk } = await place({ 'a.txt': 'theirs', 'b.txt': 'ours' })
  const done = await restore([
    await pending('a.txt', 'ours', 'before'),
    await pending('b.txt', 'ours', 'before'),
  ])
  expect(done.map(({ path, status }) => [path, status])).toEqual([
    ['a.txt', 'conflict'],
    ['b.txt', 'made'],
  ])
  expect(Object.fromEntries(onDisk)).toEqual({ 'a.txt': 'theirs', 'b.txt': 'before' })
})

test('RW-12 a version that somebody else wrote while a file was moved is a row of theirs', async () => {
  const { pending, restore, snapshots, stored, state } = await place({ 'a.txt': 'ours' })
  const theirs = await state('theirs')
  const meanwhile: Snapshots = {
    ...snapshots,
    move: async (root, move) => ({ ...(await snapshots.move(root, move)), others: theirs ? [theirs] : [] }),
  }
  await restore([await pending('a.txt', 'ours', 'before')], meanwhile)
  const rows = await stored()
  expect(rows.map(({ author, after, status }) => ({ author, after, status }))).toEqual([
    { author: 'operation', after: await state('before'), status: 'made' },
    { author: 'person', after: theirs, status: 'made' },
  ])
})

test('RW-9 a file that can’t be written stays pending, and the others are restored', async () => {
  const { pending, restore, snapshots, stored } = await place({ 'a.txt': 'ours', 'b.txt': 'ours' })
  const failing: Snapshots = {
    ...snapshots,
    move: (root, move) =>
      move.path === 'a.txt' ? Promise.reject(new Error('read-only')) : snapshots.move(root, move),
  }
  const done = await restore(
    [await pending('a.txt', 'ours', 'before'), await pending('b.txt', 'ours', 'before')],
    failing,
  )
  expect(done.map(({ status }) => status)).toEqual(['pending', 'made'])
  expect((await stored()).map(({ status }) => status)).toEqual(['pending', 'made'])
})

test.for([
  [19, 25],
  [20, 20],
  [21, 20],
] as const)(
  'RW-9 %i failures in a row: %i files are tried of 25, since a full disk takes none',
  async ([failures, tried]) => {
    const { pending, restore, snapshots } = await place({})
    let calls = 0
    const failing: Snapshots = {
      ...snapshots,
      move(root, move) {
        calls += 1
        return calls <= failures ? Promise.reject(new Error('full')) : snapshots.move(root, move)
      },
    }
    const rows: FileChangeRow[] = []
    for (let at = 0; at < 25; at++) rows.push(await pending(`f${at}`, null, 'before'))
    await restore(rows, failing)
    expect(calls).toBe(tried)
  },
)

test('RW-9 files are removed before others are made, the innermost first: a file may take the place of a folder', async () => {
  const { pending, restore, snapshots } = await place({ 'a/b/c': 'x', 'a/d': 'x' })
  const moved: string[] = []
  const watched: Snapshots = {
    ...snapshots,
    move(root, move) {
      moved.push(move.path)
      return snapshots.move(root, move)
    },
  }
  await restore(
    [await pending('a', null, 'file'), await pending('a/d', 'x', null), await pending('a/b/c', 'x', null)],
    watched,
  )
  expect(moved).toEqual(['a/b/c', 'a/d', 'a'])
})

test('RW-9 progress is stored every 100 files, so that a kill repeats few', async () => {
  const { pending, restore, store } = await place({})
  const saved: number[] = []
  const { update } = store.fileChanges
  store.fileChanges.update = (updates) => {
    saved.push(updates.length)
    return update(updates)
  }
  const rows: FileChangeRow[] = []
  for (let at = 0; at < 250; at++) rows.push(await pending(`f${at}`, null, 'before'))
  await restore(rows)
  expect(saved).toEqual([100, 100, 50])
})

test('RW-9 a restore of nothing stores nothing', async () => {
  const { restore, stored } = await place({})
  expect(await restore([])).toEqual([])
  expect(await stored()).toEqual([])
})

test('RW-12 a version that only a leftover of a killed move held becomes a row', async () => {
  const { pending, clean, snapshots, stored, state } = await place({ 'a.txt': 'before' })
  const row = await pending('a.txt', 'ours', 'before')
  const theirs = await state('theirs')
  const asked: string[][] = []
  const left: Snapshots = {
    ...snapshots,
    clean(_, paths) {
      asked.push([...paths])
      return Promise.resolve(theirs ? [{ path: 'a.txt', state: theirs }] : [])
    },
  }
  await clean([row], left)
  expect(asked).toEqual([['a.txt']])
  expect((await stored()).map(({ author, after }) => [author, after])).toEqual([
    ['operation', row.after],
    ['person', theirs],
  ])
})

test.for(['ours', 'before'])(
  'RW-12 a leftover that the row knows already (%s) makes no other row',
  async (text) => {
    const { pending, clean, snapshots, stored, state } = await place({ 'a.txt': 'before' })
    const row = await pending('a.txt', 'ours', 'before')
    const known = await state(text)
    const left: Snapshots = {
      ...snapshots,
      clean: () => Promise.resolve(known ? [{ path: 'a.txt', state: known }] : []),
    }
    await clean([row], left)
    expect(await stored()).toHaveLength(1)
  },
)
