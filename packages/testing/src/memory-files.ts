import { AppError } from '@palimpsest/core/domain'
import type { WorkspaceFiles } from '@palimpsest/core/ports'
import { sha256 } from '../../core/src/domain/values/sha256.ts'

/** A workspace in memory: bytes by path. Its searches find nothing. */
export type MemoryFiles = WorkspaceFiles & { readonly contents: Map<string, Uint8Array<ArrayBuffer>> }

/** Files with these texts; the same in every root. */
export function createMemoryFiles(texts: Readonly<Record<string, string>> = {}): MemoryFiles {
  const contents = new Map(
    Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)]),
  )
  const nothing = { truncated: false }

  function listIn(folder: string, limit: number): { names: string[]; total: number } | null {
    const below = [...contents.keys()].filter((name) => folder === '.' || name.startsWith(`${folder}/`))
    if (below.length === 0) return null
    const rest = below.map((name) => (folder === '.' ? name : name.slice(folder.length + 1)))
    const names = [...new Set(rest.map((name) => name.replace(/\/.*$/s, '/')))].toSorted()
    return { names: names.slice(0, limit), total: names.length }
  }

  return {
    contents,
    locate: async (root, path) => locate(root, path),
    exists: async (root, path) => {
      const place = locate(root, path)
      return place === '.' || [...contents.keys()].some((name) => `${name}/`.startsWith(`${place}/`))
    },
    async find(root, path, limit) {
      const place = { path: locate(root, path) }
      const bytes = contents.get(place.path)
      if (bytes !== undefined) return { type: 'file', ...place, bytes }
      const listed = listIn(place.path, limit)
      return listed === null ? null : { type: 'folder', ...place, ...listed }
    },
    list: async (root, path, limit) => listIn(locate(root, path), limit),
    read: async (root, path) => contents.get(locate(root, path)) ?? null,
    write: async (root, path, bytes, expected) => {
      const place = locate(root, path)
      const before = contents.get(place)
      const stamp = before === undefined ? null : await sha256(before)
      if (stamp !== expected) throw new AppError('CONFLICT', `${path} was changed by somebody else.`)
      contents.set(place, new Uint8Array(bytes))
    },
    glob: async () => ({ paths: [], ...nothing }),
    grep: async () => ({ lines: [], ...nothing }),
  }
}

/** Follows `.` and `..` only: there are no links. */
function locate(root: string, path: string): string {
  const names: string[] = []
  const inside = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
  for (const name of inside.split('/')) {
    if (name === '..' && names.pop() === undefined) throw outside(path)
    if (name !== '..' && name !== '.' && name !== '') names.push(name)
  }
  if (inside.startsWith('/')) throw outside(path)
  return names.join('/') || '.'
}

function outside(path: string): AppError {
  return new AppError('INVALID_INPUT', `${path} is outside of the workspace.`, { field: 'path' })
}
