import { readFile, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { WorkspaceFacts } from '@palimpsest/core/ports'
import { findRepository } from '../git/find-repository.ts'
import { isInside } from '../workspaces.ts'

/** Paths of one line that are followed; more count as leading outside. */
const MAX_PATHS = 200

/** Sections and keys of git's settings that name no program, file or other settings. */
const HARMLESS =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|abbrev|quotepath|sharedrepository|compression|bigfilethreshold)|remote\..*\.(?:url|pushurl|fetch|tagopt|mirror|prune)|branch\..*|user\.(?:name|email|signingkey)|push\.\w+|pull\.\w+|fetch\.\w+|rebase\.\w+|merge\.(?:ff|conflictstyle)|init\.\w+|color\..*|submodule\..*\.(?:url|active|path|branch)|rerere\.\w+|gc\.\w+|advice\.\w+|commit\.gpgsign|tag\.gpgsign|extensions\.(?:objectformat|worktreeconfig|refstorage)|status\.\w+|index\.\w+|feature\.\w+|lfs\.repositoryformatversion)$/

/** What a decision about a command has to know of the disk. */
export async function inspectWorkspace(root: string, reads: readonly string[]): Promise<WorkspaceFacts> {
  const [outside, gitStartsPrograms] = await Promise.all([firstOutside(root, reads), startsPrograms(root)])
  return { outside, gitStartsPrograms }
}

async function firstOutside(root: string, reads: readonly string[]): Promise<string | null> {
  if (reads.length > MAX_PATHS) return reads[MAX_PATHS] ?? null
  // Joined as text: `..` after a link is what the system makes of it.
  const real = await Promise.all(reads.map((path) => realPathOf(isAbsolute(path) ? path : `${root}/${path}`)))
  const at = real.findIndex((path) => !isInside(root, path) && path !== '/dev/null')
  return at === -1 ? null : (reads[at] ?? null)
}

/** The real path of a file; of one that is missing, that of the nearest folder above it. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    return path === '/' ? path : await realPathOf(dirname(path))
  }
}

/** Whether the settings in a repository could make git start a program. Settings that cannot be read count as such. */
async function startsPrograms(root: string): Promise<boolean> {
  const repository = await findRepository(root)
  if (repository === null) return false
  if (repository === 'unusable') return true
  const { gitDir, commonDir } = repository
  const files = [join(commonDir, 'config'), join(gitDir, 'config.worktree')]
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  return texts.some((text) => !keysOf(text).every((key) => HARMLESS.test(key)))
}

/** The keys that a file of settings may set, in lower case. A line that is not understood is a key that is not harmless. */
function keysOf(text: string): string[] {
  let section = ''
  return text.split(/\r?\n/).flatMap((line) => {
    const [, name, quoted] = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*$/.exec(line) ?? []
    if (name !== undefined) {
      section = quoted === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${quoted}`
      return []
    }
    if (/^\s*(?:[#;].*)?$/.test(line)) return []
    const [, key] = /^\s*([A-Za-z][\w-]*)\s*(?:=(?:[^\\]|\\[^\n])*)?$/.exec(line) ?? []
    return [key === undefined || line.endsWith('\\') ? 'unknown' : `${section}.${key.toLowerCase()}`]
  })
}
