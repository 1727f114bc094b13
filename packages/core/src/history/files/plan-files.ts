import type { HistoryDetail } from '../../domain/history/history-operation.ts'
import type { Outline } from '../../domain/history/outline.ts'
import { inRanges } from '../../domain/values/seq-ranges.ts'
import {
  type FileChangeRow,
  type FileChoice,
  type FileFate,
  type FileState,
  type NotKeptReason,
  sameState,
} from '../../domain/workspace/file-journal.ts'
import type { FoundFile } from '../../ports/index.ts'
import { viewAfter } from '../plan/change.ts'
import { type View, visibleNow } from '../plan/view.ts'

/** What may have changed files: the message at a place, or an operation. */
export type FileEvent = { seq: number } | { operationId: string }

/** The events whose changes an operation undoes and those that it redoes, each in the order in which they happened. */
export type FileMoves = { undone: readonly FileEvent[]; redone: readonly FileEvent[] }

/**
 * What an operation means for the files. A rewind concerns the replies that it leaves and those that it comes to; taking an operation
 * back concerns everything that has happened since, and taking back what it did to files, that alone.
 */
export function planFiles(outline: Outline, detail: HistoryDetail): FileMoves {
  if (detail.reverted !== undefined) return { undone: [{ operationId: detail.reverted }], redone: [] }
  const undone = outline.operations.findIndex(({ id }) => id === detail.undoes)
  if (undone !== -1) return { undone: eventsSince(outline, undone), redone: [] }
  const now = inEffect(outline, visibleNow(outline))
  const next = inEffect(outline, viewAfter(outline, detail))
  return { undone: sorted(now.difference(next)), redone: sorted(next.difference(now)) }
}

/** What an operation wants a file to be; `ours` is what the chat has left there. */
export type WantedFile = {
  path: string
  target: FileState | null
  ours: FileState | null
  /** Somebody else may have made one of the changes. */
  uncertain: boolean
  notKept: NotKeptReason | null
}

/** The state that each path should have, given the changes of each event. `latest`: the last change of the chat to each path. */
export function wantedFiles(
  undone: readonly (readonly FileChangeRow[])[],
  redone: readonly (readonly FileChangeRow[])[],
  latest: ReadonlyMap<string, FileChangeRow>,
): WantedFile[] {
  const wanted = new Map<string, WantedFile>()
  const want = (row: FileChangeRow, target: FileState | null) => {
    const before = wanted.get(row.path)
    const last = latest.get(row.path)
    const ours = last !== undefined ? last.after : before !== undefined ? before.ours : row.after
    const notKept = row.status === 'not-kept' ? row.reason : (before?.notKept ?? null)
    const uncertain = before?.uncertain === true || row.status === 'uncertain' || last?.status === 'uncertain'
    wanted.set(row.path, { path: row.path, target, ours, uncertain, notKept })
  }
  for (const row of undone.flat().toReversed()) want(row, row.before)
  for (const row of redone.flat()) want(row, row.after)
  return [...wanted.values()]
}

/** What becomes of a file, and what it is taken from. `leave`: nothing has to be done. */
export type DecidedFile =
  | { type: 'leave' }
  | { type: 'restore'; from: FileState | null; fate: FileFate }
  | { type: 'keep'; found: FileState | null; fate: FileFate }
  | { type: 'beside'; copy: string; found: FileState; fate: FileFate }
  | { type: 'not-kept'; fate: FileFate }

/** The three-way decision: what is there, what the chat has left there, and what is wanted. */
export function decideFile(
  { path, target, ours, uncertain, notKept }: WantedFile,
  found: FoundFile,
  choice: FileChoice | undefined,
): DecidedFile {
  if (notKept !== null) return { type: 'not-kept', fate: { path, fate: 'not-kept', reason: notKept } }
  if (found.type === 'blocked')
    return { type: 'not-kept', fate: { path, fate: 'not-kept', reason: found.reason } }
  const { state } = found
  if (sameState(state, target)) return { type: 'leave' }
  if (!uncertain && sameState(state, ours))
    return { type: 'restore', from: state, fate: { path, fate: 'restored' } }
  if (choice === 'restore') return { type: 'restore', from: state, fate: { path, fate: 'restored' } }
  if (choice === 'both' && target !== null && state !== null) {
    const copy = besideName(path)
    return { type: 'beside', copy, found: state, fate: { path, fate: 'beside', copy } }
  }
  const fate = choice === undefined ? 'conflict' : 'kept'
  return { type: 'keep', found: state, fate: { path, fate } }
}

/** The name of the restored version beside a file: `a/b.restored.txt` for `a/b.txt`. */
export function besideName(path: string, number = 0): string {
  const start = path.lastIndexOf('/') + 1
  const dot = path.lastIndexOf('.')
  const end = dot > start ? dot : path.length
  const added = number === 0 ? '.restored' : `.restored-${number}`
  return `${path.slice(0, end)}${added}${path.slice(end)}`
}

/** The visible messages and those that visible summaries replace: the file changes of both are in effect. */
function inEffect({ entries, operations }: Outline, view: View): ReadonlySet<number> {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const found = new Set(view)
  // Iterating a growing set also visits what is added: a summary may replace earlier summaries.
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]))
  for (const seq of found) {
    const hidden = byId.get(bySeq.get(seq)?.compactionId ?? '')?.detail.hidden ?? []
    for (const entry of hidden.length === 0 ? [] : entries)
      if (inRanges(hidden, entry.seq)) found.add(entry.seq)
  }
  return found
}

function eventsSince({ entries, operations }: Outline, index: number): FileEvent[] {
  const since = operations.slice(index)
  const start = since[0]?.detail.lastSeq ?? 0
  const replies = entries.flatMap(({ seq }) =>
    seq > start ? [{ at: seq, event: { seq } as FileEvent }] : [],
  )
  // An operation happened after the message that was the last one then, and before the next.
  const restored = since.map(({ id, detail }) => ({
    at: detail.lastSeq + 0.5,
    event: { operationId: id } as FileEvent,
  }))
  return [...replies, ...restored].toSorted((a, b) => a.at - b.at).map(({ event }) => event)
}

function sorted(seqs: ReadonlySet<number>): FileEvent[] {
  return [...seqs].toSorted((a, b) => a - b).map((seq) => ({ seq }))
}
