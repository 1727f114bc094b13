import { mkdir, open, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileState } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { NOTHING_PROTECTED } from '../../testing/nothing-protected.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { createGitSnapshots } from './git-snapshots.ts'
import type { MoveStep } from './move-file.ts'

vi.setConfig({ testTimeout: 60_000 })

const NUM_RUNS = process.env['TEST_PROFILE'] === 'long' ? 1_000 : 100
const STEPS: readonly MoveStep[] = ['looked', 'written', 'aside', 'placed', 'removed']

/** A folder with a file in it, and a layer that stops where `onStep` does. */
async function openFolder(onStep?: (step: MoveStep, path: string) => Promise<void>) {
  const folder = await temporaryFolder()
  const root = join(folder.path, 'work')
  await mkdir(root)
  const options = { folder: join(folder.path, 'snapshots'), places: NOTHING_PROTECTED }
  const snapshots = createGitSnapshots({ ...options, ...(onStep && { onStep }) })
  return {
    root,
    snapshots,
    /** The layer of a server that starts after this one. */
    again: () => createGitSnapshots(options),
    at: (path: string) => join(root, path),
    async state(text: string | null): Promise<FileState | null> {
      return text === null ? null : { id: await snapshots.keep(root, Buffer.from(text)), mode: '100644' }
    },
    async textOf(state: FileState | null): Promise<string | null> {
      return state === null ? null : Buffer.from((await snapshots.read(root, state.id)) ?? []).toString()
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** Stops at a step, as a process that ends there, until the test is over. */
function endAt(step: MoveStep) {
  const reached = Promise.withResolvers<void>()
  const over = Promise.withResolvers<never>()
  const left: Promise<unknown>[] = []
  over.promise.catch(() => undefined)
  return {
    async onStep(at: MoveStep) {
      if (at !== step) return
      reached.resolve()
      await over.promise
    },
    async reached(work: Promise<unknown>) {
      left.push(work.catch(() => undefined))
      await Promise.race([work, reached.promise])
    },
    async [Symbol.asyncDispose]() {
      over.reject(new Error('The process has ended'))
      await Promise.all(left)
    },
  }
}

async function textAt(path: string): Promise<string | null> {
  return await readFile(path, 'utf8').catch(() => null)
}

/** Ways in which programs save a file. */
const SAVES = {
  inPlace: (path: string, text: string) => writeFile(path, text),
  async byRename(path: string, text: string) {
    await writeFile(`${path}.new`, text)
    await rename(`${path}.new`, path)
  },
  remove: (path: string) => rm(path, { force: true }),
}

test('RW-12 whatever is saved at whatever moment of a move, each version is on the disk afterwards or is kept', async () => {
  const text = fc.constantFrom('one', 'two', null)
  const save = fc.record({
    step: fc.constantFrom(...STEPS),
    how: fc.constantFrom('inPlace' as const, 'byRename' as const, 'remove' as const),
  })
  await fc.assert(
    fc.asyncProperty(text, text, fc.array(save, { maxLength: 3 }), async (from, to, saves) => {
      let made = 0
      const saved: string[] = []
      await using folder = await openFolder(async (step) => {
        for (const one of saves.filter((other) => other.step === step)) {
          const words = `saved ${++made}`
          // What is saved over what was saved is gone by the hand of the person.
          if (one.how === 'remove') saved.length = 0
          else saved.splice(0, saved.length, words)
          await SAVES[one.how](path, words)
        }
      })
      const path = folder.at('a.txt')
      const { snapshots, root, state, textOf } = folder
      if (from !== null) await writeFile(path, from)
      const [before, after] = [await state(from), await state(to)]
      const moved = await snapshots.move(root, { path: 'a.txt', from: before, to: after })
      const now = await textAt(path)
      const kept = [now, ...(await Promise.all(moved.others.map(textOf)))]
      for (const words of saved) expect(kept).toContain(words)
      if (saves.length === 0) expect([moved.type, now]).toEqual(['done', to])
      expect((await readdir(root)).filter((name) => name.startsWith('.palimpsest-'))).toEqual([])
    }),
    { numRuns: NUM_RUNS },
  )
})

test('RW-12 what is written through an open file while it is moved aside is kept', async () => {
  const opened = Promise.withResolvers<Awaited<ReturnType<typeof open>>>()
  await using folder = await openFolder(async (step) => {
    if (step !== 'placed') return
    await using file = await opened.promise
    await file.writeFile('late')
  })
  await writeFile(folder.at('a'), 'one')
  opened.resolve(await open(folder.at('a'), 'r+'))
  const { snapshots, root, state, textOf } = folder
  const moved = await snapshots.move(root, { path: 'a', from: await state('one'), to: await state('two') })
  expect([moved.type, await textAt(folder.at('a'))]).toEqual(['done', 'two'])
  expect(await Promise.all(moved.others.map(textOf))).toEqual(['late'])
})

test.for(
  STEPS.flatMap((step) =>
    (['one', null] as const).flatMap((from) =>
      (['two', null] as const).map((to) => [step, from, to] as const),
    ),
  ),
)(
  'RW-9 a server that ends at “%s” of a move from %s to %s finishes it after its start, and leaves no file of its own',
  async ([step, from, to]) => {
    await using end = endAt(step)
    await using folder = await openFolder(end.onStep)
    const { root, state } = folder
    if (from !== null) await writeFile(folder.at('a'), from)
    const move = { path: 'a', from: await state(from), to: await state(to) }
    await end.reached(folder.snapshots.move(root, move))
    const next = folder.again()
    // What was aside is the version that the move names anyway.
    for (const found of await next.clean(root, ['a'])) expect(found).toEqual({ path: 'a', state: move.from })
    expect(await next.move(root, move)).toEqual({ type: 'done', others: [] })
    expect(await textAt(folder.at('a'))).toBe(to)
    expect((await readdir(root)).filter((name) => name.startsWith('.palimpsest-'))).toEqual([])
  },
)

test('RW-12 a version that was saved while a file was aside, and the one aside, are both there after an end in the middle', async () => {
  await using end = endAt('aside')
  await using folder = await openFolder(end.onStep)
  const { root, state } = folder
  await writeFile(folder.at('a'), 'one')
  const move = { path: 'a', from: await state('one'), to: await state('two') }
  await end.reached(folder.snapshots.move(root, move))
  await writeFile(folder.at('a'), 'mine')
  const next = folder.again()
  expect(await next.clean(root, ['a'])).toEqual([{ path: 'a', state: await state('one') }])
  const moved = await next.move(root, move)
  expect(moved).toEqual({ type: 'changed', found: { type: 'file', state: await state('mine') }, others: [] })
  expect(await textAt(folder.at('a'))).toBe('mine')
})

test('RW-12 a folder that was replaced by a link, or by a file, is not written into', async () => {
  await using folder = await openFolder()
  const { snapshots, root, state } = folder
  const outside = join(dirname(root), 'outside')
  await mkdir(outside)
  await symlink(outside, folder.at('linked'))
  await writeFile(folder.at('file'), 'mine')
  const to = await state('two')
  for (const path of ['linked/a', 'file/a', '../a', 'file/../a']) {
    const moved = await snapshots.move(root, { path, from: null, to })
    expect(moved).toEqual({ type: 'changed', found: { type: 'blocked', reason: 'folder' }, others: [] })
  }
  expect([await readdir(outside), await textAt(folder.at('file'))]).toEqual([[], 'mine'])
})

test('RW-12 a link and a mode are restored, and no link is followed', async () => {
  await using folder = await openFolder()
  const { snapshots, root } = folder
  await writeFile(folder.at('target'), 'mine')
  const id = await snapshots.keep(root, Buffer.from('target'))
  const link = { id, mode: '120000' as const }
  expect(await snapshots.move(root, { path: 'a', from: null, to: link })).toMatchObject({ type: 'done' })
  expect(await snapshots.look(root, 'a')).toEqual({ type: 'file', state: link })
  const script = { id: await snapshots.keep(root, Buffer.from('#!')), mode: '100755' as const }
  expect(await snapshots.move(root, { path: 'a', from: link, to: script })).toMatchObject({ type: 'done' })
  expect(await snapshots.look(root, 'a')).toEqual({ type: 'file', state: script })
  expect(await textAt(folder.at('target'))).toBe('mine')
})
