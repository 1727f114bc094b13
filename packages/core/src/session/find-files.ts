import { AppError } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import type { Session } from '../domain/session/session.ts'
import type { CorePorts } from '../history/core-ports.ts'
import { createPlaces } from './places.ts'
import { rankPaths } from './rank-paths.ts'
import type { SessionService } from './service.ts'

/** Paths that one search returns at most, and that it looks at: those of the files that were changed last. */
const FOUND = 20
const LISTED = 10_000
/** Milliseconds for which a list counts, since a person types on; and that reading it may take. */
const KEPT_MS = 5_000
const READING_MS = 5_000
/** Folders whose list is kept. */
const FOLDERS = 8

/** Finds files of workspaces by what is typed of their path. */
export function createFileFinder(
  { files, workspaces, clock }: Pick<CorePorts, 'files' | 'workspaces' | 'clock'>,
  requireSession: (id: string) => Promise<Session>,
): Pick<SessionService, 'findFiles'> {
  const kept = new Map<string, { at: number; paths: Promise<string[]> }>()

  /** Paths of a folder; none of one that takes too long. */
  async function read(root: string): Promise<string[]> {
    const reading = new AbortController()
    using _timer = clock.after(READING_MS, () => reading.abort())
    const query = { pattern: '**/*', path: '.', limit: LISTED }
    try {
      return (await files.glob(root, query, reading.signal)).paths
    } catch (error) {
      if (reading.signal.aborted) return []
      throw error
    }
  }

  function listOf(root: string): Promise<string[]> {
    const known = kept.get(root)
    if (known !== undefined && clock.elapsed() - known.at < KEPT_MS) return known.paths
    const paths = read(root)
    kept.delete(root)
    kept.set(root, { at: clock.elapsed(), paths })
    const [oldest] = kept.size > FOLDERS ? kept.keys() : []
    if (oldest !== undefined) kept.delete(oldest)
    paths.catch(() => kept.delete(root))
    return paths
  }

  const { rootOf } = createPlaces(workspaces, requireSession)

  return {
    async findFiles({ query, ...scope }) {
      if (query.length > LIMITS.searchCharacters)
        throw new AppError('INVALID_INPUT', `A search takes at most ${LIMITS.searchCharacters} characters.`, {
          field: 'query',
        })
      const root = await rootOf(scope)
      return { paths: root === null ? [] : rankPaths(await listOf(root), query.trim(), FOUND) }
    },
  }
}
