import type { Snapshots } from '@palimpsest/core/ports'

export type MemorySnapshots = Snapshots & {
  /** The files of a root: their text by path. Tests write here what people and tools would. */
  filesOf(root: string): Map<string, string>
  /** From now on everything fails. */
  break(): void
  /** From now on the files of no root are kept. */
  uncover(): void
}

/** A snapshot layer over workspaces that are maps. */
export function createMemorySnapshots(): MemorySnapshots {
  const roots = new Map<string, Map<string, string>>()
  const states = new Map<string, ReadonlyMap<string, string>>()
  /** The states of each root. */
  const kept = new Map<string, Set<string>>()
  let broken = false
  let covered = true

  function filesOf(root: string): Map<string, string> {
    const files = roots.get(root) ?? new Map<string, string>()
    roots.set(root, files)
    return files
  }

  function stateOf(id: string): ReadonlyMap<string, string> {
    const state = states.get(id)
    if (state === undefined) throw new Error(`There is no state ${id}`)
    return state
  }

  /** Equal files make the same state. */
  function keep(root: string, files: ReadonlyMap<string, string>): string {
    const id = JSON.stringify([...files].toSorted())
    states.set(id, new Map(files))
    kept.set(root, (kept.get(root) ?? new Set()).add(id))
    return id
  }

  function changedIn(from: string, to: string): string[] {
    const [before, after] = [stateOf(from), stateOf(to)]
    const paths = new Set([...before.keys(), ...after.keys()])
    return [...paths].filter((path) => before.get(path) !== after.get(path)).toSorted()
  }

  async function unlessBroken<T>(work: () => T): Promise<T> {
    await Promise.resolve()
    if (broken) throw new Error('The layer is broken')
    return work()
  }

  return {
    filesOf,
    break() {
      broken = true
    },
    uncover() {
      covered = false
    },
    covers: () => unlessBroken(() => covered),
    capture: (root) => unlessBroken(() => keep(root, filesOf(root))),
    changed: (_, spans) => unlessBroken(() => spans.map(({ before, after }) => changedIn(before, after))),
    combine: (root, base, sources) =>
      unlessBroken(() => {
        const files = new Map(stateOf(base))
        for (const { state, paths } of sources) for (const path of paths) put(files, path, stateOf(state))
        return keep(root, files)
      }),
    restore: (root, from, to) =>
      unlessBroken(() => {
        for (const path of changedIn(from, to)) put(filesOf(root), path, stateOf(to))
      }),
    forget: (root) =>
      unlessBroken(() => {
        const own = kept.get(root) ?? []
        kept.delete(root)
        for (const id of own) if (![...kept.values()].some((ids) => ids.has(id))) states.delete(id)
      }),
  }
}

/** Makes one path what it is in a state. */
function put(files: Map<string, string>, path: string, state: ReadonlyMap<string, string>): void {
  const text = state.get(path)
  if (text === undefined) files.delete(path)
  else files.set(path, text)
}
