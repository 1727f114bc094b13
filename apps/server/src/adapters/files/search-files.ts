import { type FileHandle, lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { GlobQuery, GrepLine, GrepQuery } from '@palimpsest/core/ports'
import { isInside } from '../workspaces.ts'
import { globMatcher } from './glob-pattern.ts'
import { type Area, openFile, openFolder, pathInto, realPathIn, refused } from './open-inside.ts'
import { readOpened } from './read-file.ts'
import { runRipgrep } from './run-ripgrep.ts'

/** Files whose time of change is read, and at once. */
const MAX_FOUND = 50_000
const AT_ONCE = 64

/** Finds files by path, the one changed last first. */
export async function globFiles(
  area: Area,
  { pattern, path, limit }: GlobQuery,
  signal: AbortSignal,
): Promise<{ paths: string[]; truncated: boolean }> {
  const real = await realPathIn(area, path)
  await using folder = await openFolder(area, real, path)
  if (folder === null) throw refused(path, 'is not a folder')
  const matches = globMatcher(pattern)
  const found: string[] = []
  const search = {
    folder: pathInto(folder, real),
    options: ['--files'],
    paths: [],
    without: below(area, real),
  }
  for await (const name of runRipgrep(search, signal)) {
    const file = join(real, name)
    if (matches(name.split(sep).join('/')) && !area.places.covers(file)) found.push(file)
    if (found.length > MAX_FOUND) break
  }
  const times = (await inGroups(found, timeOf)).flatMap((file) => file ?? [])
  const newest = times.toSorted((a, b) => b.at - a.at || (a.file < b.file ? -1 : 1)).slice(0, limit)
  return {
    paths: newest.map(({ file }) => toPath(area.root, file)),
    truncated: times.length > limit || found.length > MAX_FOUND,
  }
}

/** When a file was changed; null for one that is reached by a link, which may have been put there during the search. */
async function timeOf(file: string): Promise<{ file: string; at: number } | null> {
  try {
    const [found, real] = await Promise.all([lstat(file), realpath(file)])
    return found.isFile() && real === file ? { file, at: found.mtimeMs } : null
  } catch {
    return null
  }
}

/** Finds lines. Each is read again from the file that is inside the root, so that a changed link brings in nothing. */
export async function grepFiles(
  area: Area,
  query: GrepQuery,
  signal: AbortSignal,
): Promise<{ lines: GrepLine[]; truncated: boolean }> {
  const real = await realPathIn(area, query.path)
  await using folder = await openFolder(area, real, query.path)
  if (folder !== null) return await grepFrom(area, folder, { base: real, name: './' }, query, signal)
  const base = dirname(real)
  await using above = real === area.root ? null : await openFolder(area, base, query.path)
  const isThere = (await lstat(real).catch(() => null)) !== null
  if (above === null || !isThere) throw refused(query.path, 'does not exist')
  return await grepFrom(area, above, { base, name: `./${basename(real)}` }, query, signal)
}

/** Searches what is under `name` in the open folder, whose real path is `base`. */
async function grepFrom(
  area: Area,
  folder: FileHandle,
  { base, name }: { base: string; name: string },
  { pattern, context, glob, firstOnly, limit }: GrepQuery,
  signal: AbortSignal,
): Promise<{ lines: GrepLine[]; truncated: boolean }> {
  const options = ['--json', '--context', String(context), '--regexp', pattern]
  if (firstOnly) options.push('--max-count', '1')
  if (glob !== null) options.push('--glob', glob)
  const search = { folder: pathInto(folder, base), options, paths: [name], without: below(area, base) }
  const lines: FoundLine[] = []
  let matches = 0
  for await (const text of runRipgrep(search, signal)) {
    const line = readLine(text, base)
    if (line?.isMatch === true) matches += 1
    if (matches > limit) break
    if (line !== null) lines.push(line)
  }
  const byFile = Map.groupBy(lines, ({ file }) => file)
  const files = [...byFile].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const kept = await inGroups(files, ([file, ofFile]) => keepInside(area, file, ofFile))
  return { lines: kept.flat(), truncated: matches > limit }
}

type FoundLine = { file: string; number: number; offset: number; text: string; isMatch: boolean }

/** A line of ripgrep's JSON; null for what is no line of a file, and for what is not text. */
function readLine(json: string, base: string): FoundLine | null {
  const { type, data }: { type: string; data: RipgrepLine } = JSON.parse(json)
  if (type !== 'match' && type !== 'context') return null
  const [path, text] = [data.path?.text, data.lines?.text]
  if (path === undefined || text === undefined || data.line_number === null) return null
  const { line_number: number, absolute_offset: offset } = data
  return { file: join(base, path), number, offset, text, isMatch: type === 'match' }
}

type RipgrepLine = {
  path?: { text?: string }
  lines?: { text?: string }
  line_number: number | null
  absolute_offset: number
}

/** The lines that are in the file of this path, inside the root. */
async function keepInside(area: Area, file: string, lines: readonly FoundLine[]): Promise<GrepLine[]> {
  const path = toPath(area.root, file)
  try {
    await using opened = await openFile(area, file, path)
    if (opened === null) return []
    const isThere = await lineChecker(opened, path)
    const kept: GrepLine[] = []
    for (const { number, offset, text, isMatch } of lines)
      if (await isThere(text, offset)) kept.push({ path, number, text: text.replace(/\r?\n$/, ''), isMatch })
    return kept
  } catch {
    return []
  }
}

/** Encodings by the first two bytes of their mark: ripgrep decodes these files, so that its offsets are not those of the disk. */
const MARKED: ReadonlyMap<string, string> = new Map([
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
  ['efbb', 'utf-8'],
])

/** Checks that a text is in a file where ripgrep has found it. */
async function lineChecker(
  file: FileHandle,
  path: string,
): Promise<(text: string, offset: number) => Promise<boolean>> {
  const mark = Buffer.alloc(2)
  await file.read(mark, 0, 2, 0)
  const encoding = MARKED.get(mark.toString('hex')) ?? null
  if (encoding !== null) {
    const whole = new TextDecoder(encoding).decode(await readOpened(file, path))
    return (text) => Promise.resolve(whole.includes(text))
  }
  return async (text, offset) => {
    const wanted = Buffer.from(text)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted.length), 0, wanted.length, offset)
    return bytesRead === wanted.length && buffer.equals(wanted)
  }
}

/** The server's own places below a folder, relative to it. */
function below({ places }: Area, folder: string): string[] {
  return places.paths
    .filter((path) => path !== folder && isInside(folder, path))
    .map((path) => toPath(folder, path))
}

function toPath(root: string, file: string): string {
  return relative(root, file).split(sep).join('/')
}

/** Works on many items, a bounded number at once, and keeps their order. */
async function inGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))))
  return results
}
