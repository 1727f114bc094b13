import type { FileState } from '@palimpsest/core/domain'
import type { FileDelta, Snapshots } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** Files by path. */
export type FileTree = Record<string, string>

export type SnapshotsFixture = AsyncDisposable & {
  readonly snapshots: Snapshots
  readonly root: string
  /** Makes the files of the root these and no others. */
  write(files: FileTree): Promise<void>
  read(): Promise<FileTree>
}

/** Names of which none is also a folder of another. */
const path = fc
  .array(fc.constantFrom('a', 'b c', 'ä', '-x', '.hidden'), { minLength: 1, maxLength: 3 })
  .map((names) => `${names.join('/')}.txt`)
const content = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('', 'one\r\ntwo\n', '\u0000'))
const tree: fc.Arbitrary<FileTree> = fc
  .array(fc.tuple(path, content), { maxLength: 8 })
  .map((entries) => Object.fromEntries(entries))

/** What every snapshot layer answers to; `numRuns` bounds the random trees. */
export function snapshotsContract(
  name: string,
  open: () => Promise<SnapshotsFixture>,
  { numRuns = 100 }: { numRuns?: number } = {},
): void {
  describe(name, () => {
    test('RW-5 what differs between any two captures leads from one to the other and back, byte for byte', async () => {
      await using fixture = await open()
      const { snapshots, root } = fixture
      await fc.assert(
        fc.asyncProperty(tree, tree, async (one, other) => {
          await captured(fixture, one)
          const deltas = await captured(fixture, other)
          await moveAll(fixture, deltas, 'before')
          expect(await fixture.read()).toEqual(one)
          await moveAll(fixture, deltas, 'after')
          expect(await fixture.read()).toEqual(other)
          for (const { path, after } of deltas)
            expect(await snapshots.look(root, path)).toEqual({ type: 'file', state: after })
        }),
        { numRuns },
      )
    })

    test('RW-5 a capture names the one before it, and equal files are one capture', async () => {
      await using fixture = await open()
      const { snapshots, root } = fixture
      expect(await snapshots.covers(root)).toBe(true)
      await fixture.write({ same: '1', edited: '1', removed: '1' })
      const first = await snapshots.capture(root)
      expect(first.previous).toBeNull()
      await fixture.write({ same: '1', edited: '2', 'a/made': '1' })
      const second = await snapshots.capture(root)
      expect(second.previous).toBe(first.state)
      const there = { before: first.state, after: second.state }
      const same = { before: first.state, after: first.state }
      const changed = await snapshots.changed(root, [same, there, same, there, same])
      const paths = ['a/made', 'edited', 'removed']
      const names = changed.map((one) => one.map((delta) => delta.path).toSorted())
      expect(names).toEqual([[], paths, [], paths, []])
      expect(await snapshots.changed(root, [])).toEqual([])
      await fixture.write({ same: '1', edited: '1', removed: '1' })
      const third = await snapshots.capture(root)
      expect([third.previous, third.state]).toEqual([second.state, first.state])
      expect(third.changes.map((delta) => delta.path).toSorted()).toEqual(paths)
    })

    test('RW-12 a content that is kept is read again, and one that is not is null', async () => {
      await using fixture = await open()
      const { snapshots, root } = fixture
      const bytes = new TextEncoder().encode('one\r\n\0two ä')
      const id = await snapshots.keep(root, bytes)
      expect(await snapshots.keep(root, bytes)).toBe(id)
      expect(Buffer.from((await snapshots.read(root, id)) ?? []).equals(bytes)).toBe(true)
      expect(await snapshots.read(root, 'f'.repeat(40))).toBeNull()
    })

    test('RW-12 a file that is not as it is expected is left, and its version is kept', async () => {
      await using fixture = await open()
      const { snapshots, root } = fixture
      await fixture.write({ a: 'theirs' })
      const state = async (text: string): Promise<FileState> => ({
        id: await snapshots.keep(root, new TextEncoder().encode(text)),
        mode: '100644',
      })
      const [ours, old] = [await state('ours'), await state('old')]
      const moved = await snapshots.move(root, { path: 'a', from: ours, to: old })
      const found = await snapshots.look(root, 'a')
      expect(moved).toEqual({ type: 'changed', found, others: [] })
      expect(await fixture.read()).toEqual({ a: 'theirs' })
      const gone = await snapshots.move(root, { path: 'b', from: ours, to: old })
      expect(gone).toEqual({ type: 'changed', found: { type: 'file', state: null }, others: [] })
      const theirs = await state('theirs')
      expect(await snapshots.move(root, { path: 'a', from: theirs, to: old })).toEqual({
        type: 'done',
        others: [],
      })
      // Again, as after an end in the middle.
      expect(await snapshots.move(root, { path: 'a', from: theirs, to: old })).toEqual({
        type: 'done',
        others: [],
      })
      expect(await fixture.read()).toEqual({ a: 'old' })
    })

    test('DA-14 RW-5 the contents of a root that is forgotten are gone, its files stay, and new ones can be kept', async () => {
      await using fixture = await open()
      const { snapshots, root } = fixture
      await fixture.write({ a: 'a1' })
      const { state: first } = await snapshots.capture(root)
      const id = await snapshots.keep(root, new TextEncoder().encode('kept'))
      await snapshots.forget(root)
      expect(await fixture.read()).toEqual({ a: 'a1' })
      expect(await snapshots.read(root, id)).toBeNull()
      await expect(snapshots.changed(root, [{ before: first, after: first }])).rejects.toThrow()
      await fixture.write({ a: 'a3' })
      expect((await snapshots.capture(root)).previous).toBeNull()
    })
  })
}

/** Makes the files these, and returns what differs from the capture before. */
async function captured({ snapshots, root, write }: SnapshotsFixture, files: FileTree): Promise<FileDelta[]> {
  await write(files)
  return (await snapshots.capture(root)).changes
}

/** Takes every file that differs to what it was before or after; files are removed before others are made. */
async function moveAll(
  { snapshots, root }: SnapshotsFixture,
  deltas: readonly FileDelta[],
  to: 'before' | 'after',
): Promise<void> {
  const from = to === 'before' ? 'after' : 'before'
  const removed = deltas.filter((delta) => delta[to] === null)
  const made = deltas.filter((delta) => delta[to] !== null)
  for (const delta of [...removed, ...made]) {
    const moved = await snapshots.move(root, { path: delta.path, from: delta[from], to: delta[to] })
    expect(moved.type).toBe('done')
  }
}
