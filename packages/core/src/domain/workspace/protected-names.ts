/**
 * Names of files and folders, in whatever folder they are, that other programs act on by themselves: an agent, an editor, git or this
 * server starts what they name. `.git` is one too, with parts that commands have to write.
 */
export const PROTECTED_NAMES = [
  '.agents',
  '.claude',
  '.codex',
  '.cursor',
  '.husky',
  '.mcp.json',
  '.opencode',
  '.vscode',
  'opencode.json',
  'opencode.jsonc',
  'palimpsest.config.json',
] as const

const GIT = '.git'
const SETTINGS: ReadonlySet<string> = new Set(PROTECTED_NAMES)

/** Whether a disk may find one of the protected names by this one: some ignore case, width and characters that are not seen. */
export function isProtectedName(name: string): boolean {
  return SETTINGS.has(foldName(name))
}

/** The first name in a path that is protected, `.git` included; null when none is. */
export function protectedPart(path: string): string | null {
  return path.split('/').find((name) => isProtectedName(name) || foldName(name) === GIT) ?? null
}

/** Whether `*`, `?` and `[…]` in a name may stand for parts of a protected one. */
export function mayMatchProtected(pattern: string): boolean {
  const source = foldName(pattern)
    .replaceAll(/\[[^\]]*\]?/g, '?')
    .replaceAll(/[\\^$.|+(){}\]]/g, '\\$&')
    .replaceAll('?', '.')
    .replaceAll(/\*+/g, '.*')
  const matcher = new RegExp(`^${source}$`, 'u')
  return [GIT, ...PROTECTED_NAMES].some((name) => matcher.test(name))
}

/** Names by which git takes a folder for a repository, whatever it is called: the first, and the second or the others. */
export const REPOSITORY_NAMES = ['HEAD', 'commondir', 'objects', 'refs'] as const

/** Whether git takes a folder that holds these names for a repository. */
export function isBareRepository(names: ReadonlySet<string>): boolean {
  return names.has('HEAD') && (names.has('commondir') || (names.has('objects') && names.has('refs')))
}

/** One spelling of names that some disks take for the same: without case, width and characters that are not seen. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
}
