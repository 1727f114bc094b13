import { stat } from 'node:fs/promises'
import type { GitAnswer } from '../git/git-shell.ts'
import { parseSettings, type Setting, VIEWED_SETTINGS } from './repository-view.ts'

/** The highest exit code of `git config`: no such setting is 1. */
const NO_SETTING = 1

/**
 * Milliseconds after which a change of a file has another time than the one before it, on every kind of disk. What is younger may have
 * been changed again since it was read, with the same time.
 */
const SETTLED_MS = 2_000

/** The settings of a file, or what git answered in their place. */
export type ReadSettings = (
  file: string,
  git: (args: readonly string[]) => Promise<GitAnswer>,
) => Promise<Setting[] | { failed: GitAnswer }>

type Read = { version: string; settings: Setting[] }

/** Reads files of settings by git, each once until it changes. `now` is the time of the disk, in epoch milliseconds. */
export function createSettingsReader(now: () => number = Date.now): ReadSettings {
  const read = new Map<string, Read>()

  return async (file, git) => {
    // Before git reads it: a change in between counts from the next call on.
    const found = await stat(file, { bigint: true }).catch(() => null)
    const version = found && [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join()
    const last = read.get(file)
    if (version !== null && last?.version === version) return last.settings
    const isSettled = found !== null && now() - Number(found.ctimeMs) > SETTLED_MS
    const asked = await git(['config', '--no-includes', '--file', file, '--get-regexp', VIEWED_SETTINGS])
    if (asked === null || asked.code > NO_SETTING) return { failed: asked }
    const settings = parseSettings(asked.text)
    if (isSettled && version !== null) read.set(file, { version, settings })
    return settings
  }
}
