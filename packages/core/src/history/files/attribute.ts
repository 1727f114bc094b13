import { type FileState, type NotKeptReason, sameState } from '../../domain/workspace/file-journal.ts'
import type { FileDelta } from '../../ports/index.ts'

/** Where a call that may change files works, and whose it is. `thread`: the chat in which a person talks. */
export type OpenSpan = { root: string; thread: string; background: boolean; sessionId: string }

/** What changed at one path between two captures, and by whom it is counted: by nobody of them when it was a person. */
export type Attributed<Span> = {
  absolute: string
  before: FileState | null
  after: FileState | null
  notKept: NotKeptReason | null
  by: readonly Span[]
  uncertain: boolean
}

/**
 * Attributes what differs between two captures of a folder.
 *
 * - What the journal has already, as a `write` that it noted exactly, is left out; `known` is the state that it has last.
 * - While commands of one chat run, it is the first of them that began. While those of several chats run, it is the first of each, and
 *   uncertain.
 * - While only commands in the background run, it is uncertain: a person may have saved the file.
 * - While none runs, it is a person's.
 */
export function attribute<Span extends OpenSpan>(
  root: string,
  deltas: readonly FileDelta[],
  spans: readonly Span[],
  known: (absolute: string) => { state: FileState | null } | undefined,
): Attributed<Span>[] {
  return deltas.flatMap(({ path, before, after, notKept }) => {
    const absolute = `${root}/${path}`
    const last = known(absolute)
    if (last !== undefined && notKept === null && sameState(last.state, after)) return []
    const around = spans.filter((span) => absolute.startsWith(`${span.root}/`))
    const working = around.filter(({ background }) => !background)
    const by = firstOfThreads(working.length > 0 ? working : around)
    const uncertain = by.length > 1 || (working.length === 0 && by.length > 0)
    return [{ absolute, before: last === undefined ? before : last.state, after, notKept, by, uncertain }]
  })
}

function firstOfThreads<Span extends OpenSpan>(spans: readonly Span[]): Span[] {
  return [...Map.groupBy(spans, ({ thread }) => thread).values()].flatMap(([first]) => first ?? [])
}
