import type { Snapshots } from '@palimpsest/core/ports'
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
    test('RW-5 the files of any state come back from any other, byte for byte, and go there again', async () => {
      await using fixture = await open()
      const { snapshots, root } = fixture
      await fc.assert(
        fc.asyncProperty(tree, tree, async (one, other) => {
          const [first, second] = [await captured(fixture, one), await captured(fixture, other)]
          await snapshots.restore(root, second, first)
          expect(await fixture.read()).toEqual(one)
          await snapshots.restore(root, first, second)
          expect(await fixture.read()).toEqual(other)
        }),
        { numRuns },
      )
    })

    test('RW-5 a root that it keeps is covered', async () => {
      await using fixture = await open()
      expect(await fixture.snapshots.covers(fixture.root)).toBe(true)
    })

    test('RW-5 what is named as changed is what differs', async () => {
      await using fixture = await open()
      const first = await captured(fixture, { same: '1', edited: '1', removed: '1' })
      const second = await captured(fixture, { same: '1', edited: '2', 'a/made': '1' })
      const there = { before: first, after: second }
      const same = { before: first, after: first }
      const changed = await fixture.snapshots.changed(fixture.root, [same, there, same, there, same])
      const paths = ['a/made', 'edited', 'removed']
      expect(changed.map((one) => one.toSorted())).toEqual([[], paths, [], paths, []])
      expect(await fixture.snapshots.changed(fixture.root, [])).toEqual([])
    })

    test('RW-5 a state can be put together of several, path by path', async () => {
      await using fixture = await open()
      const { snapshots, root } = fixture
      const first = await captured(fixture, { a: 'a1', b: 'b1', c: 'c1' })
      const second = await captured(fixture, { a: 'a2', b: 'b2', 'd/e': 'd2' })
      const third = await captured(fixture, { a: 'a3', mine: 'mine' })
      const sources = [
        { state: first, paths: ['b', 'c'] },
        { state: second, paths: ['a', 'd/e'] },
      ]
      await snapshots.restore(root, third, await snapshots.combine(root, third, sources))
      expect(await fixture.read()).toEqual({ a: 'a2', b: 'b1', c: 'c1', 'd/e': 'd2', mine: 'mine' })
    })

    test('DA-14 RW-5 the states of a root that is forgotten are gone, its files stay, and new states can be made', async () => {
      await using fixture = await open()
      const { snapshots, root } = fixture
      const first = await captured(fixture, { a: 'a1' })
      const second = await captured(fixture, { a: 'a2' })
      await snapshots.forget(root)
      expect(await fixture.read()).toEqual({ a: 'a2' })
      await expect(snapshots.restore(root, second, first)).rejects.toThrow()
      expect(await fixture.read()).toEqual({ a: 'a2' })
      const third = await captured(fixture, { a: 'a3' })
      const fourth = await captured(fixture, { a: 'a4' })
      await snapshots.restore(root, fourth, third)
      expect(await fixture.read()).toEqual({ a: 'a3' })
    })

    test('RW-5 equal files are one state', async () => {
      await using fixture = await open()
      const first = await captured(fixture, { a: '1' })
      await captured(fixture, { a: '2' })
      expect(await captured(fixture, { a: '1' })).toBe(first)
    })

    test('RW-5 a state that is not known is refused', async () => {
      await using fixture = await open()
      const known = await captured(fixture, { a: '1' })
      const unknown = 'f'.repeat(40)
      const { snapshots, root } = fixture
      const spans = [
        { before: known, after: known },
        { before: unknown, after: known },
      ]
      await expect(snapshots.changed(root, spans)).rejects.toThrow()
      await expect(snapshots.restore(root, known, unknown)).rejects.toThrow()
      await expect(snapshots.combine(root, known, [{ state: unknown, paths: ['a'] }])).rejects.toThrow()
      expect(await fixture.read()).toEqual({ a: '1' })
    })
  })
}

async function captured({ snapshots, root, write }: SnapshotsFixture, files: FileTree): Promise<string> {
  await write(files)
  const state = await snapshots.capture(root)
  if (state === null) throw new Error('Nothing was captured')
  return state
}
