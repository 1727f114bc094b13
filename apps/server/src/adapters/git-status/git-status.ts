import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Clock } from '@palimpsest/core/ports'
import type { GitAnswer } from '../git/git-shell.ts'
import { NO_PROGRAM } from '../git/run-git.ts'
import { createStatusReader, type StatusReader } from './read-status.ts'

const MAX_LINES = 20

/** Milliseconds for which a folder is skipped after git timed out in it. */
const SLOW_MS = 60_000

/** Milliseconds for which a git status is reused. */
const FRESH_MS = 500

/** A call of git. `begunAt`: monotonic milliseconds; null while it waits for the one before it. */
type Look = { begunAt: number | null; answer: Promise<GitAnswer> }

export type GitStatus = (root: string) => Promise<string | null>

/**
 * Reads the git status of a workspace: branch and changed files in at most 20 lines, null outside a repository,
 * and the reason where git gives none. Paths in `without` (absolute paths) are left out. At most 0.5 s old, takes 1 s at most, and does not reject.
 */
export function createGitStatus(
  { clock, without = [] }: { clock: Clock; without?: readonly string[] },
  reader?: StatusReader,
): GitStatus {
  const git = reader ?? createStatusReader({ clock, without })
  const looks = new Map<string, Look>()
  const slowUntil = new Map<string, number>()

  /** Callers share the result of a look that begins later, or began half a second ago at most; others wait for the next one. */
  function look(root: string): Promise<GitAnswer> {
    const last = looks.get(root)
    const isFresh = last !== undefined && clock.elapsed() - (last.begunAt ?? clock.elapsed()) < FRESH_MS
    if (isFresh) return last.answer
    const next: Look = { begunAt: null, answer: Promise.resolve(null) }
    next.answer = (last?.answer ?? Promise.resolve()).then(() => {
      next.begunAt = clock.elapsed()
      return git.status(root)
    })
    looks.set(root, next)
    return next.answer
  }

  return async (root) => {
    if (clock.now() < (slowUntil.get(root) ?? 0)) return unknown('git takes too long here')
    const answer = await look(root)
    if (answer !== null) {
      slowUntil.delete(root)
      return describe(root, answer)
    }
    looks.delete(root)
    slowUntil.set(root, clock.now() + SLOW_MS)
    return unknown('git did not answer in time')
  }
}

function describe(root: string, { code, text }: { code: number; text: string }): string | null {
  if (code === 0) return firstLines(text.trimEnd().split('\n'))
  if (!insideRepository(resolve(root))) return null
  return unknown(code === NO_PROGRAM ? 'git is not installed' : 'git cannot read this repository')
}

const unknown = (reason: string) => `unknown, ${reason}`

function firstLines(lines: string[]): string {
  const rest = lines.length - MAX_LINES
  return rest > 0 ? [...lines.slice(0, MAX_LINES), `and ${rest} more`].join('\n') : lines.join('\n')
}

function insideRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true
  const above = dirname(folder)
  return above !== folder && insideRepository(above)
}
