import { lstat, readFile, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isBareRepository, REPOSITORY_NAMES } from '@palimpsest/core/domain'
import { findRepository, type Repository } from './find-repository.ts'
import { gitlinksIn } from './gitlinks.ts'

/** Sections and keys of git's settings that name no program, file or other settings. */
const HARMLESS =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|abbrev|quotepath|sharedrepository|compression|bigfilethreshold)|remote\..*\.(?:url|pushurl|fetch|tagopt|mirror|prune)|branch\..*|user\.(?:name|email|signingkey)|push\.\w+|pull\.\w+|fetch\.\w+|rebase\.\w+|merge\.(?:ff|conflictstyle)|init\.\w+|color\..*|submodule\..*\.(?:url|active|path|branch)|submodule\.active|rerere\.\w+|gc\.\w+|advice\.\w+|commit\.gpgsign|tag\.gpgsign|extensions\.(?:objectformat|worktreeconfig|refstorage)|status\.\w+|index\.\w+|feature\.\w+|lfs\.repositoryformatversion)$/

/** Submodules that are looked at for one line. */
const MAX_REPOSITORIES = 100

/**
 * Whether settings could make git start a program when it reads in one of these folders (real paths): those of the repository that
 * git finds there, be it a bare one, and of its submodules. What cannot be read counts as such.
 */
export async function startsPrograms(folders: readonly string[]): Promise<boolean> {
  const seen = new Set<string>()
  for (const folder of new Set(folders)) if (await startsProgramsIn(folder, seen)) return true
  return false
}

async function startsProgramsIn(folder: string, seen: Set<string>): Promise<boolean> {
  const repository = await findRepository(folder)
  if (repository === 'unusable' || (await isInBare(folder, repository?.top ?? null))) return true
  if (repository === null || seen.has(repository.top)) return false
  seen.add(repository.top)
  if (seen.size > MAX_REPOSITORIES || (await hasHarmfulSettings(repository))) return true
  const links = await submodulesOf(repository)
  if (links === null) return true
  for (const link of links) if (await startsProgramsIn(link, seen)) return true
  return false
}

async function isInBare(folder: string, top: string | null): Promise<boolean> {
  const found = await Promise.all(REPOSITORY_NAMES.map((name) => lstat(join(folder, name)).catch(() => null)))
  if (isBareRepository(new Set(REPOSITORY_NAMES.filter((_, at) => found[at] !== null)))) return true
  const above = dirname(folder)
  return folder === top || above === folder ? false : await isInBare(above, top)
}

/** Whether a file of git's settings sets more than what is harmless; a missing one does not. */
export async function namesPrograms(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return !settingsIn(text).every(({ key }) => HARMLESS.test(key) || key === 'core.worktree')
}

async function hasHarmfulSettings({ top, gitDir, commonDir, mustNameTop }: Repository): Promise<boolean> {
  const files = [join(commonDir, 'config'), join(gitDir, 'config.worktree')]
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  const isHarmless = ({ key, value }: Setting) =>
    HARMLESS.test(key) || (mustNameTop && key === 'core.worktree' && resolve(gitDir, value) === top)
  return !texts.flatMap(settingsIn).every(isHarmless)
}

/** The work trees of submodules that git reads with this repository; null when they cannot be found out. */
async function submodulesOf({ top, gitDir, commonDir }: Repository): Promise<string[] | null> {
  const index = await readFile(join(gitDir, 'index')).catch(() => null)
  if (index === null) return []
  const config = await readFile(join(commonDir, 'config'), 'utf8').catch(() => '')
  const links = gitlinksIn(index)
  if (links === null || (links.length > 0 && /objectformat/i.test(config))) return null
  const populated: string[] = []
  for (const link of links) {
    const folder = join(top, link)
    if ((await lstat(join(folder, '.git')).catch(() => null)) !== null) populated.push(await realpath(folder))
  }
  return populated
}

type Setting = { key: string; value: string }

/** What a file of settings may set, keys in lower case. A line that is not understood is a key that is not harmless. */
function settingsIn(text: string): Setting[] {
  let section = ''
  return text.split(/\r?\n/).flatMap((line) => {
    const [, name, quoted] = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*$/.exec(line) ?? []
    if (name !== undefined) {
      section = quoted === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${quoted}`
      return []
    }
    if (/^\s*(?:[#;].*)?$/.test(line)) return []
    const [, key, value = ''] = /^\s*([A-Za-z][\w-]*)\s*(?:=((?:[^\\]|\\[^\n])*))?$/.exec(line) ?? []
    const isKnown = key !== undefined && !line.endsWith('\\')
    return [{ key: isKnown ? `${section}.${key.toLowerCase()}` : 'unknown', value: value.trim() }]
  })
}
