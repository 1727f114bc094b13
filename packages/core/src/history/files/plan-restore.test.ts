import { fileState } from '@palimpsest/testing/file-change-row.ts'
import { createMemorySnapshots } from '@palimpsest/testing/memory-snapshots.ts'
import { expect, test } from 'vitest'
import type { Session } from '../../domain/session/session.ts'
import type { FileChoices, FileState } from '../../domain/workspace/file-journal.ts'
import type { Snapshots } from '../../ports/index.ts'
import type { WantedFile } from './plan-files.ts'
import { planRestore } from './plan-restore.ts'

const ROOT = '/w'
const clock = { ...({} as never as { turn(): Promise<void> }), now: () => 42, elapsed: () => 0 } as never
const session = { id: 'chat' } as Session

/** A folder with these files, and the states of texts in it. */
async function folder(files: Record<string, string>) {
  const snapshots = createMemorySnapshots()
  const onDisk = snapshots.filesOf(ROOT)
  for (const [path, text] of Object.entries(files)) onDisk.set(path, text)
  const stateOf = async (text: string): Promise<FileState> =>
    fileState(await snapshots.keep(ROOT, new TextEncoder().encode(text)))
  return {
    snapshots,
    onDisk,
    stateOf,
    plan: (wanted: readonly WantedFile[], choices?: FileChoices, layer: Snapshots = snapshots) =>
      planRestore({ session, root: ROOT }, wanted, { id: 'op_1', choices }, { snapshots: layer, clock }),
  }
}

async function wantedOf(
  { stateOf }: Awaited<ReturnType<typeof folder>>,
  change: Partial<WantedFile> = {},
): Promise<WantedFile> {
  const [target, ours] = [await stateOf('before'), await stateOf('ours')]
  return { path: 'a.txt', target, ours, uncertain: false, notKept: null, ...change }
}

test('RW-12 a plan of nothing has no rows and names no file', async () => {
  expect(await (await folder({})).plan([])).toEqual({ root: ROOT, rows: [], fates: [] })
})

test('RW-9 a file that will be restored is a pending row of the operation, from what is there to what is wanted', async () => {
  const place = await folder({ 'a.txt': 'ours' })
  const wanted = await wantedOf(place)
  expect(await place.plan([wanted])).toEqual({
    root: ROOT,
    fates: [{ path: 'a.txt', fate: 'restored' }],
    rows: [
      {
        sessionId: 'chat',
        author: 'operation',
        operationId: 'op_1',
        root: ROOT,
        path: 'a.txt',
        before: wanted.ours,
        after: wanted.target,
        status: 'pending',
        reason: null,
        messageId: null,
        runId: null,
        toolCallId: null,
        madeIn: 'chat',
        createdAt: 42,
      },
    ],
  })
})

test('RW-12 a plan changes no file', async () => {
  const place = await folder({ 'a.txt': 'ours' })
  await place.plan([await wantedOf(place)])
  expect(place.onDisk.get('a.txt')).toBe('ours')
})

test('RW-12 a file that is as it is wanted is not named', async () => {
  const place = await folder({ 'a.txt': 'before' })
  expect(await place.plan([await wantedOf(place)])).toMatchObject({ rows: [], fates: [] })
})

test('RW-12 somebody else’s version is kept by the look at it, and is a row for a later choice', async () => {
  const place = await folder({ 'a.txt': 'theirs' })
  const { rows, fates } = await place.plan([await wantedOf(place)])
  expect(fates).toEqual([{ path: 'a.txt', fate: 'conflict' }])
  expect(rows).toMatchObject([{ status: 'conflict', before: await place.stateOf('theirs') }])
  const bytes = await place.snapshots.read(ROOT, rows[0]?.before?.id ?? '')
  expect(new TextDecoder().decode(bytes ?? new Uint8Array())).toBe('theirs')
})

test('RW-12 a file that was kept by choice is settled', async () => {
  const place = await folder({ 'a.txt': 'theirs' })
  const { rows, fates } = await place.plan([await wantedOf(place)], [{ path: 'a.txt', choice: 'keep' }])
  expect(fates).toEqual([{ path: 'a.txt', fate: 'kept' }])
  expect(rows).toMatchObject([{ status: 'settled' }])
})

test('RW-12 a choice about another file counts for nothing', async () => {
  const place = await folder({ 'a.txt': 'theirs' })
  const { fates } = await place.plan([await wantedOf(place)], [{ path: 'b.txt', choice: 'restore' }])
  expect(fates).toEqual([{ path: 'a.txt', fate: 'conflict' }])
})

test('RW-12 “both” makes a second row: the restored version beside the other', async () => {
  const place = await folder({ 'a.txt': 'theirs' })
  const wanted = await wantedOf(place)
  const { rows, fates } = await place.plan([wanted], [{ path: 'a.txt', choice: 'both' }])
  expect(fates).toEqual([{ path: 'a.txt', fate: 'beside', copy: 'a.restored.txt' }])
  expect(rows.map(({ path, before, after, status }) => ({ path, before, after, status }))).toEqual([
    { path: 'a.txt', before: await place.stateOf('theirs'), after: wanted.target, status: 'settled' },
    { path: 'a.restored.txt', before: null, after: wanted.target, status: 'pending' },
  ])
})

test('RW-12 the version beside takes the first name that no file has', async () => {
  const taken = { 'a.restored.txt': 'x', 'a.restored-1.txt': 'y' }
  const place = await folder({ 'a.txt': 'theirs', ...taken })
  const { fates } = await place.plan([await wantedOf(place)], [{ path: 'a.txt', choice: 'both' }])
  expect(fates).toEqual([{ path: 'a.txt', fate: 'beside', copy: 'a.restored-2.txt' }])
})

test('RW-10 what is not kept is named, and no row promises it', async () => {
  const place = await folder({ 'a.txt': 'ours' })
  const { rows, fates } = await place.plan([await wantedOf(place, { notKept: 'too-large' })])
  expect(rows).toEqual([])
  expect(fates).toEqual([{ path: 'a.txt', fate: 'not-kept', reason: 'too-large' }])
})

test('RW-10 a path that can’t be reached is named with the reason', async () => {
  const place = await folder({})
  const blocked: Snapshots = {
    ...place.snapshots,
    look: () => Promise.resolve({ type: 'blocked', reason: 'folder' }),
  }
  const { fates } = await place.plan([await wantedOf(place)], undefined, blocked)
  expect(fates).toEqual([{ path: 'a.txt', fate: 'not-kept', reason: 'folder' }])
})

test.for([31, 32, 33, 100])('RW-12 a plan of %i files names each once, in their order', async (count) => {
  const names = Array.from({ length: count }, (_, at) => `f${at}.txt`)
  const place = await folder(Object.fromEntries(names.map((name) => [name, 'ours'])))
  const wanted = await wantedOf(place)
  const { fates, rows } = await place.plan(names.map((path) => ({ ...wanted, path })))
  expect(fates.map(({ path }) => path)).toEqual(names)
  expect(rows).toHaveLength(count)
})

test('RW-12 at most 32 files are looked at together', async () => {
  const names = Array.from({ length: 70 }, (_, at) => `f${at}.txt`)
  const place = await folder({})
  const wanted = await wantedOf(place)
  let [open, most] = [0, 0]
  const counting: Snapshots = {
    ...place.snapshots,
    async look(root, path) {
      open += 1
      most = Math.max(most, open)
      await Promise.resolve()
      open -= 1
      return await place.snapshots.look(root, path)
    },
  }
  await place.plan(
    names.map((path) => ({ ...wanted, path })),
    undefined,
    counting,
  )
  expect(most).toBe(32)
})
