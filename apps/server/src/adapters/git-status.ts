import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Clock } from '@palimpsest/core/ports'

const run = promisify(execFile)
const MAX_LINES = 20

/** Milliseconds that an answer is good for, and that a place is watched after it was last asked for. */
const FRESH_MS = 30_000
const WATCHED_MS = 10 * 60_000

type Watched = { status: Promise<string | null>; askedAt: number }

export type GitStatus = (root: string) => Promise<string | null>

/**
 * Answers with `read`, at most half a minute old. Starting git takes longer than all else between a message and its
 * reply's first word, and stands the process still meanwhile: so places in use are read ahead of the asking.
 */
export function createGitStatus({ clock }: { clock: Clock }, read: GitStatus = readGitStatus): GitStatus {
  const places = new Map<string, Watched>()

  function refresh(root: string, place: Watched) {
    clock.after(FRESH_MS, async () => {
      if (clock.now() - place.askedAt > WATCHED_MS) {
        places.delete(root)
        return
      }
      const status = await read(root)
      place.status = Promise.resolve(status)
      refresh(root, place)
    })
  }

  return (root) => {
    const known = places.get(root)
    const place = known ?? { status: read(root), askedAt: clock.now() }
    place.askedAt = clock.now()
    if (known === undefined) {
      places.set(root, place)
      refresh(root, place)
    }
    return place.status
  }
}

/** Branch and changed files of the repository at `root` in at most 20 lines; null outside a repository or without git. */
async function readGitStatus(root: string): Promise<string | null> {
  try {
    const { stdout } = await run('git', ['status', '--short', '--branch'], {
      cwd: root,
      timeout: 2000,
      maxBuffer: 1024 * 1024,
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    })
    const lines = stdout.trimEnd().split('\n')
    const rest = lines.length - MAX_LINES
    return rest > 0 ? [...lines.slice(0, MAX_LINES), `and ${rest} more`].join('\n') : lines.join('\n')
  } catch {
    return null
  }
}
