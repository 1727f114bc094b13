import { realpath, rm } from 'node:fs/promises'
import { systemClock } from '@palimpsest/core'
import type { Snapshots } from '@palimpsest/core/ports'
import { createGitShell } from '../git/git-shell.ts'
import { personalIgnores } from '../git/personal-ignores.ts'
import { GitError, GitMissingError, runGitIn } from '../git/run-git.ts'
import type { ProtectedPlaces } from '../places/protected-places.ts'
import { captureFiles } from './capture-files.ts'
import { openPlace, type Place, placeFolder } from './place.ts'
import { restoreFiles } from './restore-files.ts'
import { indexRecords, treeChanges, treeId } from './tree-changes.ts'

/**
 * States of workspaces as git trees, in repositories under `folder`. A workspace's own repository, if it is in one, is only
 * read for its ignore rules. Protected places are left out. A folder that has
 * proved too large is not tried again.
 */
export function createGitSnapshots({
  covers = () => Promise.resolve(true),
  ...where
}: {
  folder: string
  places: ProtectedPlaces
  /** Which folders (real paths) are kept; all without it. */
  covers?: Snapshots['covers']
}): Snapshots {
  const inQueue = createQueues()
  const tooLarge = new Set<string>()
  const opened = new Map<string, Place>()
  const options = {
    ...where,
    personal: personalIgnores(),
    run: runGitIn(createGitShell({ clock: systemClock })),
  }
  /** Captures that have not begun. */
  const next = new Map<string, Promise<string | null>>()
  /** The tree of each index, since only captures change it. */
  const trees = new Map<string, string>()

  /** One operation at a time in each workspace, since it has a single index. */
  async function within<T>(root: string, work: (place: Place) => Promise<T>): Promise<T> {
    const real = await realpath(root)
    return await inQueue(real, async () => {
      const known = opened.get(real)
      if (known !== undefined && (await known.isCurrent())) {
        try {
          return await work(known)
        } catch (error) {
          // A git that was killed leaves a lock, which opening a place removes.
          if (!(error instanceof GitError) || error.code === null) throw error
        }
      }
      const place = await openPlace(real, options)
      opened.set(real, place)
      return await work(place)
    })
  }

  /** Reads stored snapshots only, without the current ignore rules. */
  async function among<T>(root: string, work: (place: Place) => Promise<T>): Promise<T> {
    const known = opened.get(await realpath(root))
    return known === undefined ? await within(root, work) : await work(known)
  }

  /** Callers that arrive before a capture has begun share it. */
  function captureNext(root: string): Promise<string | null> {
    const shared = next.get(root)
    if (shared !== undefined) return shared
    const captured = within(root, async (place) => {
      next.delete(root)
      const last = trees.get(place.index)
      // A capture that fails may have changed the index.
      trees.delete(place.index)
      const state = await captureFiles(place, last)
      if (state !== null) trees.set(place.index, state)
      return state
    }).finally(() => {
      if (next.get(root) === captured) next.delete(root)
    })
    next.set(root, captured)
    return captured
  }

  return {
    covers: async (root) => !tooLarge.has(root) && (await covers(root)),

    async capture(root) {
      if (tooLarge.has(root)) return null
      try {
        const state = await captureNext(root)
        if (state === null) tooLarge.add(root)
        return state
      } catch (error) {
        if (error instanceof GitError && error.code === null) tooLarge.add(root)
        if (tooLarge.has(root) || error instanceof GitMissingError || isMissing(error)) return null
        throw error
      }
    },

    changed: (root, spans) =>
      among(root, async ({ git }) => {
        const pairs = spans.map(({ before, after }) => [before, after] as const)
        return (await treeChanges(git, pairs)).map((changes) => changes.map(({ path }) => path))
      }),

    combine: (root, base, sources) =>
      among(root, ({ withIndex }) =>
        withIndex(async (git) => {
          await git(['read-tree', treeId(base)])
          const pairs = sources.map(({ state }) => [base, state] as const)
          const wanted = (await treeChanges(git, pairs)).flatMap((changes, at) => {
            const named = new Set(sources[at]?.paths)
            return changes.filter(({ path }) => named.has(path))
          })
          await git(['update-index', '-z', '--index-info'], indexRecords(wanted))
          return (await git(['write-tree'])).trim()
        }),
      ),

    restore: (root, from, to) =>
      within(root, async (place) => {
        const [changes = []] = await treeChanges(place.git, [[from, to]])
        await restoreFiles(place, changes)
      }),

    async forget(root) {
      const real = await realpath(root).catch(() => root)
      await inQueue(real, async () => {
        const place = opened.get(real)
        if (place !== undefined) trees.delete(place.index)
        opened.delete(real)
        await rm(placeFolder(where.folder, real), { recursive: true, force: true })
      })
    },
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Serializes work that has the same key. */
function createQueues() {
  const last = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work)
    last.set(
      key,
      mine.catch(() => undefined),
    )
    return mine
  }
}
