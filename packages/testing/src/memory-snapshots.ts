import { type FileState, sameState } from '@palimpsest/core/domain'
import type { FileDelta, FoundFile, Snapshots } from '@palimpsest/core/ports'

export type MemorySnapshots = Snapshots & {
  /** The files of a root: their text by path. Tests write here what people and tools would. */
  filesOf(root: string): Map<string, string>
  /** From now on everything fails. */
  break(): void
  /** From now on the files of no root are captured whole. */
  uncover(): void
}

/** A snapshot layer over workspaces that are maps. */
export function createMemorySnapshots(): MemorySnapshots {
  const roots = new Map<string, Map<string, string>>()
  const contents = new Map<string, Map<string, string>>()
  const last = new Map<string, string>()
  let broken = false
  let covered = true

  function filesOf(root: string): Map<string, string> {
    const files = roots.get(root) ?? new Map<string, string>()
    roots.set(root, files)
    return files
  }

  /** Equal texts make the same id. */
  function keepText(root: string, text: string): string {
    const kept = contents.get(root) ?? new Map<string, string>()
    contents.set(root, kept)
    const id = Buffer.from(text).toString('base64url')
    kept.set(`c${id}`, text)
    return `c${id}`
  }

  function textOf(root: string, id: string): string {
    const text = contents.get(root)?.get(id)
    if (text === undefined) throw new Error(`There is no content ${id}`)
    return text
  }

  function stateOf(root: string, path: string): FileState | null {
    const text = filesOf(root).get(path)
    return text === undefined ? null : { id: keepText(root, text), mode: '100644' }
  }

  function entriesOf(root: string, capture: string): Map<string, string> {
    return new Map(JSON.parse(textOf(root, capture)))
  }

  function changedIn(root: string, from: string, to: string): FileDelta[] {
    const [before, after] = [entriesOf(root, from), entriesOf(root, to)]
    const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted()
    const state = (text: string | undefined): FileState | null =>
      text === undefined ? null : { id: keepText(root, text), mode: '100644' }
    return paths
      .filter((path) => before.get(path) !== after.get(path))
      .map((path) => ({
        path,
        before: state(before.get(path)),
        after: state(after.get(path)),
        notKept: null,
      }))
  }

  async function unlessBroken<T>(work: () => T): Promise<T> {
    await Promise.resolve()
    if (broken) throw new Error('The layer is broken')
    return work()
  }

  const found = (state: FileState | null): FoundFile => ({ type: 'file', state })

  return {
    filesOf,
    break() {
      broken = true
    },
    uncover() {
      covered = false
    },
    covers: () => unlessBroken(() => covered),
    capture: (root) =>
      unlessBroken(() => {
        const previous = last.get(root) ?? null
        const state = keepText(root, JSON.stringify([...filesOf(root)].toSorted()))
        last.set(root, state)
        return { previous, state, changes: previous === null ? [] : changedIn(root, previous, state) }
      }),
    changed: (root, spans) =>
      unlessBroken(() => spans.map(({ before, after }) => changedIn(root, before, after))),
    keep: (root, bytes) => unlessBroken(() => keepText(root, new TextDecoder().decode(bytes))),
    read: (root, id) =>
      unlessBroken(() => {
        const text = contents.get(root)?.get(id)
        return text === undefined ? null : new TextEncoder().encode(text)
      }),
    look: (root, path) => unlessBroken(() => found(stateOf(root, path))),
    move: (root, { path, from, to }) =>
      unlessBroken(() => {
        const now = stateOf(root, path)
        if (sameState(now, to)) return { type: 'done', others: [] }
        if (!sameState(now, from)) return { type: 'changed', found: found(now), others: [] }
        if (to === null) filesOf(root).delete(path)
        else filesOf(root).set(path, textOf(root, to.id))
        return { type: 'done', others: [] }
      }),
    clean: () => unlessBroken(() => []),
    forget: (root) =>
      unlessBroken(() => {
        contents.delete(root)
        last.delete(root)
      }),
  }
}
