import { type BigIntStats, type Dirent, lstatSync } from 'node:fs'
import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isBareRepository } from '@palimpsest/core/domain'

/** Folders that are taken of each that git keeps for submodules and linked work trees. */
const MAX_FOUND = 100

/**
 * A place where git finds hooks and settings. `folder`: a `.git` folder, a bare repository, or what a `.git` folder holds for a
 * submodule or a linked work tree. `pointer`: a `.git` that is a file or a link and names another folder.
 */
export type GitPlace = {
  kind: 'folder' | 'pointer'
  path: string
  /** Names the file or folder itself, wherever it is moved. */
  key: string
}

/** The repository whose folder this is, or whose work tree, by what is in it. */
export async function gitPlacesIn(folder: string, entries: readonly Dirent[]): Promise<GitPlace[]> {
  const git = entries.find(({ name }) => name === '.git')
  if (git?.isDirectory()) return await folderWithInner(join(folder, '.git'), 0)
  if (git !== undefined) return await placeOf('pointer', join(folder, '.git'))
  const isBare = isBareRepository(new Set(entries.map(({ name }) => name)))
  return isBare ? await folderWithInner(folder, 0) : []
}

async function placeOf(kind: GitPlace['kind'], path: string): Promise<GitPlace[]> {
  const found = await lstat(path, { bigint: true }).catch(() => null)
  return found === null ? [] : [{ kind, path, key: keyOf(found) }]
}

/** Names a file itself. That of a link is not kept open, and its number is used again for the next file. */
export function keyOf(found: BigIntStats): string {
  const key = `${found.dev}:${found.ino}`
  return found.isSymbolicLink() ? `${key}:${found.ctimeNs}` : key
}

/** Names what is at a path: a link, a file or a folder; '' for nothing. */
export function markOf(path: string): string {
  try {
    return keyOf(lstatSync(path, { bigint: true }))
  } catch {
    return ''
  }
}

/** A folder of git with those that it holds for submodules, whose names may have slashes, and for linked work trees. */
async function folderWithInner(path: string, depth: number): Promise<GitPlace[]> {
  const [modules, worktrees] = await Promise.all([
    foldersWithHead(join(path, 'modules'), 0),
    foldersWithHead(join(path, 'worktrees'), 2),
  ])
  const inner = depth > 3 ? [] : await Promise.all(modules.map((at) => folderWithInner(at, depth + 1)))
  const trees = await Promise.all(worktrees.map((at) => placeOf('folder', at)))
  return [...(await placeOf('folder', path)), ...inner.flat(), ...trees.flat()].slice(0, MAX_FOUND)
}

async function foldersWithHead(path: string, depth: number): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  if (entries.some(({ name }) => name === 'HEAD')) return [path]
  if (depth > 3) return []
  const below = entries.filter((entry) => entry.isDirectory()).slice(0, MAX_FOUND)
  return (await Promise.all(below.map(({ name }) => foldersWithHead(join(path, name), depth + 1)))).flat()
}

/** The real path of the folder that a `.git` file or link names; null when it names none. */
export async function targetOf({ path }: GitPlace): Promise<string | null> {
  const found = await lstat(path).catch(() => null)
  if (found?.isSymbolicLink()) return await realpath(path).catch(() => null)
  const text = found?.isFile() ? await readFile(path, 'utf8').catch(() => '') : ''
  const [, named] = /^gitdir: (.+)\n?$/.exec(text) ?? []
  return named === undefined ? null : await realpath(resolve(dirname(path), named)).catch(() => null)
}

/** The real path of the folder whose settings and hooks a folder of git uses in place of its own; null when it uses its own. */
export async function commonOf(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, 'commondir'), 'utf8').catch(() => null)
  if (text === null) return null
  const path = resolve(folder, text.trimEnd())
  return await realpath(path).catch(() => path)
}
