import { rmSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@palimpsest/core/ports'
import type { Repository } from '../git/find-repository.ts'
import { configOf, openView, type Setting } from './repository-view.ts'

/** Milliseconds for which a view that nobody uses is kept, and after which it is not used again: old temporary files are swept. */
const UNUSED_MS = 60_000
const OLDEST_MS = 3_600_000

type View = Awaited<ReturnType<typeof openView>>
type Kept = { opened: Promise<View>; at: number; users: number; timer: Disposable | null; isGone: boolean }

export type Views = {
  /** A view with these settings and the HEAD that the repository has now. To be disposed when it is no longer used. */
  open(repository: Repository, settings: readonly Setting[]): Promise<AsyncDisposable & { path: string }>
}

/** Keeps the views of repositories from one use to the next: to make one and to delete it takes over twenty calls of the file system. */
export function createViews({ after, elapsed }: Pick<Clock, 'after' | 'elapsed'>): Views {
  const views = new Map<string, Kept>()

  function drop(key: string, kept: Kept): void {
    kept.isGone = true
    kept.timer?.[Symbol.dispose]()
    if (views.get(key) === kept) views.delete(key)
    if (kept.users === 0) void remove(kept.opened)
  }

  function hold(key: string, repository: Repository, settings: readonly Setting[]): Kept {
    const last = views.get(key)
    if (last !== undefined && elapsed() - last.at < OLDEST_MS) return last
    if (last !== undefined) drop(key, last)
    const opened = openView(repository, settings).then(removedAtExit)
    const kept: Kept = { opened, at: elapsed(), users: 0, timer: null, isGone: false }
    views.set(key, kept)
    return kept
  }

  function release(key: string, kept: Kept): void {
    kept.users -= 1
    if (kept.users > 0) return
    if (kept.isGone) void remove(kept.opened)
    else kept.timer = after(UNUSED_MS, () => drop(key, kept))
  }

  return {
    async open(repository, settings) {
      const key = [repository.gitDir, repository.commonDir, configOf(settings)].join('\0')
      const kept = hold(key, repository, settings)
      kept.timer?.[Symbol.dispose]()
      kept.users += 1
      try {
        const { path } = await kept.opened
        await copyHead(repository.gitDir, path)
        return { path, [Symbol.asyncDispose]: () => Promise.resolve(release(key, kept)) }
      } catch (error) {
        drop(key, kept)
        release(key, kept)
        throw error
      }
    },
  }
}

/** Git of another call may be reading it. */
async function copyHead(gitDir: string, view: string): Promise<void> {
  const [head, copied] = await Promise.all(
    [join(gitDir, 'HEAD'), join(view, 'HEAD')].map((path) => readFile(path)),
  )
  if (head === undefined || copied?.equals(head)) return
  const next = join(view, `HEAD.${crypto.randomUUID()}`)
  await writeFile(next, head)
  await rename(next, join(view, 'HEAD'))
}

async function remove(opened: Promise<View>): Promise<void> {
  try {
    await using view = await opened
    paths.delete(view.path)
  } catch {
    // It was not made, or is deleted already.
  }
}

/** The views that this process keeps. */
const paths = new Set<string>()
let isWatched = false

function removedAtExit(view: View): View {
  if (!isWatched) process.once('exit', removeAll)
  isWatched = true
  paths.add(view.path)
  return view
}

function removeAll(): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true })
}
