import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Repository } from '../git/find-repository.ts'

/** Settings that git needs to read a work tree as it was written. They are copied, all others are not. */
const PLAIN = {
  'core.filemode': /^(true|false)$/,
  'core.ignorecase': /^(true|false)$/,
  'core.symlinks': /^(true|false)$/,
  'core.precomposeunicode': /^(true|false)$/,
  'core.autocrlf': /^(true|false|input)$/,
  'core.eol': /^(lf|crlf|native)$/,
  'core.repositoryformatversion': /^[01]$/,
  'extensions.objectformat': /^(sha1|sha256)$/,
}
const PLAIN_VALUES = new Map<string, RegExp>(Object.entries(PLAIN))

/** The upstream branch, so that the status includes how far ahead of it this one is. */
const TRACKING = /^(branch|remote)\.(.+)\.(remote|merge|fetch)$/
const TRACKING_VALUE = /^[\w./+:*-]+$/

/** The pattern for `git config --get-regexp`. */
export const VIEWED_SETTINGS = `^(core\\.worktree|${[...PLAIN_VALUES.keys()].join('|').replaceAll('.', '\\.')}|(branch|remote)\\..+\\.(remote|merge|fetch))$`

export type Setting = { key: string; value: string }

/** Parses the output of `git config --get-regexp`: a key, a space and a value on each line. */
export function parseSettings(text: string): Setting[] {
  return text.split('\n').map((line) => {
    const at = line.indexOf(' ')
    return at === -1 ? { key: line, value: '' } : { key: line.slice(0, at), value: line.slice(at + 1) }
  })
}

/** Whether the settings name this repository's folder as its work tree, where they have to. */
export function nameTop({ top, gitDir, mustNameTop }: Repository, settings: readonly Setting[]): boolean {
  if (!mustNameTop) return true
  return settings.some(({ key, value }) => key === 'core.worktree' && resolve(gitDir, value) === top)
}

/**
 * A folder that git treats as the repository's own: the same HEAD, index, refs and objects, but our settings and attributes.
 * No filter, monitor, hook or helper that the repository names can be started through it. Deleted on dispose.
 */
export async function openView(
  { gitDir, commonDir }: Repository,
  settings: readonly Setting[],
): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'palimpsest-git-'))
  const remove = () => rm(path, { recursive: true, force: true })
  try {
    await mkdir(join(path, 'info'))
    await Promise.all([
      writeFile(join(path, 'config'), configOf(settings)),
      writeFile(join(path, 'info', 'attributes'), '* !filter\n'),
      readFile(join(gitDir, 'HEAD')).then((head) => writeFile(join(path, 'HEAD'), head)),
      symlink(join(gitDir, 'index'), join(path, 'index')),
      ...['objects', 'refs', 'packed-refs', 'info/exclude'].map((name) =>
        symlink(join(commonDir, name), join(path, name)),
      ),
    ])
  } catch (error) {
    await remove()
    throw error
  }
  return { path, [Symbol.asyncDispose]: remove }
}

/** The text of a settings file with the copied settings. */
export function configOf(settings: readonly Setting[]): string {
  const lines = settings.flatMap(({ key, value }) => {
    if (PLAIN_VALUES.get(key)?.test(value)) return [`[${key.replace('.', ']\n')} = ${value}`]
    const [, section = '', name = '', last = ''] = TRACKING.exec(key) ?? []
    if (section === '' || !TRACKING_VALUE.test(value)) return []
    return [`[${section} "${name.replaceAll(/["\\]/g, '\\$&')}"]\n${last} = ${value}`]
  })
  return `[core]\nbare = false\n${lines.join('\n')}\n`
}
