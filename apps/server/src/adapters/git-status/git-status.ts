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

export type GitStatus = (root: string) => Promise<string | null>

/**
 * Reads the git status of a workspace after the call: branch and changed files in at most 20 lines, null outside a repository,
 * and the reason where git gives none. Paths in `without` (absolute paths) are left out. At most 0.5 s old, takes 1 s at most, and does not reject.
 */
export function createGitStatus(
  { clock, without = [] }: { clock: Clock; without?: readonly string[] },
  reader?: StatusReader,
): GitStatus {
  const git = reader ?? createStatusReader({ clock, without })
  const running = new Map<string, Promise<GitAnswer>>()
  const waiting = new Map<string, Promise<GitAnswer>>()
  const slowUntil = new Map<string, number>()
  const read = new Map<string, { at: number; answer: NonNullable<GitAnswer> }>()

  /** Callers that arrive before git has started share its result; later ones wait for the next call. */
  function look(root: string): Promise<GitAnswer> {
    const shared = waiting.get(root)
    if (shared !== undefined) return shared
    const answer = (running.get(root) ?? Promise.resolve()).then(() => {
      waiting.delete(root)
      const begun = git.status(root).finally(() => running.delete(root))
      running.set(root, begun)
      return begun
    })
    waiting.set(root, answer)
    return answer
  }

  return async (root) => {
    if (clock.now() < (slowUntil.get(root) ?? 0)) return unknown('git takes too long here')
    const last = read.get(root)
    if (last !== undefined && clock.elapsed() - last.at < FRESH_MS) return describe(root, last.answer)
    const at = clock.elapsed()
    const answer = await look(root)
    if (answer !== null) {
      slowUntil.delete(root)
      read.set(root, { at, answer })
      return describe(root, answer)
    }
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
