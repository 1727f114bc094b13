import { lstat, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '@palimpsest/core'
import type { FileSpan, FileState } from '@palimpsest/core/domain'
import type { Capture, FileDelta, Snapshots } from '@palimpsest/core/ports'
import { createGitShell } from '../git/git-shell.ts'
import { personalIgnores } from '../git/personal-ignores.ts'
import { GitError, runGitIn } from '../git/run-git.ts'
import type { ProtectedPlaces } from '../places/protected-places.ts'
import { captureFiles } from './capture-files.ts'
import { contentId, createContents } from './contents.ts'
import { cleanBeside, lookAt, type MoveStep, moveFile } from './move-file.ts'
import { openPlace, type Place, placeFolder } from './place.ts'
import { treeChanges } from './tree-changes.ts'

/**
 * Contents and captures of workspaces in git repositories of their own, under `folder`. Contents are written and read without git;
 * captures need it. A workspace's own repository, if it is in one, is only read for its ignore rules. Protected places are left out.
 */
export function createGitSnapshots({
  covers = () => Promise.resolve(true),
  onStep,
  ...where
}: {
  folder: string
  places: ProtectedPlaces
  /** Which folders (real paths) are captured whole; all without it. */
  covers?: Snapshots['covers']
  /** Called in the middle of each move of a file. */
  onStep?: (step: MoveStep, path: string) => Promise<void>
}): Snapshots {
  const inTurn = createTurns()
  const opened = new Map<string, Place>()
  const run = runGitIn(createGitShell({ clock: systemClock }))
  const options = { ...where, personal: personalIgnores(), run }
  /** The tree of each index, since only captures change it. */
  const trees = new Map<string, NotedTree>()

  const areaOf = (root: string) => ({ root, places: where.places, isMade: () => false })
  const contentsOf = (root: string) => createContents(placeFolder(where.folder, root))

  /** One operation at a time in each workspace, since it has a single index. */
  async function within<T>(root: string, work: (place: Place) => Promise<T>): Promise<T> {
    const real = await realpath(root)
    return await inTurn(real, async () => {
      const known = opened.get(real)
      // A git that was killed leaves a lock, which opening a place removes.
      if (known !== undefined && (await known.isCurrent())) {
        const done = await unlessBroken(() => work(known))
        if (done !== BROKEN) return done
      }
      const place = await openPlace(real, options)
      opened.set(real, place)
      const done = await unlessBroken(() => work(place))
      if (done !== BROKEN) return done
      // An index that cannot be read is made again from the files.
      trees.delete(place.index)
      await rm(place.index, { force: true })
      return await work(place)
    })
  }

  /** Reads stored contents only, without the current ignore rules. */
  async function among<T>(root: string, work: (place: Place) => Promise<T>): Promise<T> {
    const known = opened.get(root)
    return known === undefined ? await within(root, work) : await work(known)
  }

  async function read(root: string, id: string): Promise<Uint8Array | null> {
    const loose = await contentsOf(root).read(id)
    if (loose !== null) return loose
    // What is packed is read by git.
    return await among(root, ({ catFile }) => catFile(contentId(id))).catch(() => null)
  }

  return {
    covers,

    capture: (root) =>
      within(root, async (place): Promise<Capture> => {
        const noted = `${place.index}.tree`
        const known = trees.get(place.index)
        const previous = known ?? (await readNoted(noted))
        const at = Date.now()
        // A capture that fails may have changed the index.
        trees.delete(place.index)
        const state = await captureFiles(place, known?.state)
        trees.set(place.index, { state, at })
        if (state !== previous?.state) await writeFile(noted, `${state} ${at}`)
        if (previous === null) return { previous: null, state, changes: [] }
        const changes = await changesBetween(place, previous, state)
        return { previous: previous.state, state, changes }
      }),

    changed: (root, spans: readonly FileSpan[]): Promise<FileDelta[][]> =>
      among(root, ({ git }) =>
        treeChanges(
          git,
          spans.map(({ before, after }) => [before, after] as const),
        ),
      ),

    keep: (root, bytes) => contentsOf(root).keep(bytes),
    read,
    look: (root, path) => lookAt(areaOf(root), path, contentsOf(root)),
    move: (root, move) =>
      moveFile(areaOf(root), move, { contents: contentsOf(root), read: (id) => read(root, id), onStep }),

    async clean(root, paths) {
      const found: { path: string; state: FileState }[] = []
      for (const path of paths) {
        const state = await cleanBeside(areaOf(root), path, contentsOf(root))
        if (state !== null) found.push({ path, state })
      }
      return found
    },

    async forget(root) {
      const real = await realpath(root).catch(() => root)
      await inTurn(real, async () => {
        const place = opened.get(real)
        if (place !== undefined) trees.delete(place.index)
        opened.delete(real)
        await rm(placeFolder(where.folder, real), { recursive: true, force: true })
      })
    },
  }
}

const BROKEN = Symbol('broken')

/** The result, or `BROKEN` when git has failed with an exit code. */
async function unlessBroken<T>(work: () => Promise<T>): Promise<T | typeof BROKEN> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GitError && error.code !== null) return BROKEN
    throw error
  }
}

type NotedTree = { state: string; at: number }

/** The tree of the last capture and when it began, as an earlier process noted them; null without one. */
async function readNoted(file: string): Promise<NotedTree | null> {
  const [state = '', at] = (await readFile(file, 'utf8').catch(() => '')).split(' ')
  return /^[0-9a-f]{40}$/.test(state) ? { state, at: Number(at) } : null
}

/** File systems note times by a clock that may be behind. */
const CLOCK_MS = 20

/** What has changed since a capture, without files that were there before and after it and came under other ignore rules. */
async function changesBetween({ root, git }: Place, before: NotedTree, state: string): Promise<FileDelta[]> {
  if (before.state === state) return []
  const [deltas = []] = await treeChanges(git, [[before.state, state]])
  const changes: FileDelta[] = []
  for (const delta of deltas) {
    const comesOrGoes = delta.notKept === null && (delta.before === null || delta.after === null)
    const found = comesOrGoes ? await lstat(join(root, delta.path)).catch(() => null) : null
    const isOld = found !== null && found.ctimeMs < before.at - CLOCK_MS
    if (found === null || (delta.before === null ? !isOld : found.isDirectory())) changes.push(delta)
  }
  return changes
}

/** Serializes work that has the same key. */
function createTurns() {
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
