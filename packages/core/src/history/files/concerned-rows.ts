import type { Outline } from '../../domain/history/outline.ts'
import type { Session } from '../../domain/session/session.ts'
import { toRanges } from '../../domain/values/seq-ranges.ts'
import type { FileChangeRow } from '../../domain/workspace/file-journal.ts'
import type { FileSpan } from '../../domain/workspace/file-span.ts'
import type { Clock, FileDelta, Logger, Snapshots, Store } from '../../ports/index.ts'
import { rowBase } from './journal-rows.ts'
import type { FileEvent } from './plan-files.ts'

type Place = { session: Session; root: string; outline: Outline; rows: readonly FileChangeRow[] }
type Ports = { store: Store; snapshots: Snapshots; clock: Clock; logger: Logger }

/** The changes that each event has made, among these rows of the chat, or as snapshots of earlier releases have them. */
export async function rowsOfEvents(
  { session, root, outline, rows }: Place,
  events: readonly FileEvent[],
  ports: Ports,
): Promise<FileChangeRow[][]> {
  const ids = new Map(outline.entries.map(({ seq, id }) => [seq, id]))
  const byMessage = Map.groupBy(rows, ({ messageId }) => messageId)
  const byOperation = Map.groupBy(rows, ({ operationId }) => operationId)
  const earlier = await spansOfEarlierReleases(session, outline, events, ports)
  const found = await snapshotChanges(session.id, root, earlier, ports)
  return events.map((event, at) => {
    const own = 'seq' in event ? byMessage.get(ids.get(event.seq) ?? '') : byOperation.get(event.operationId)
    return own ?? found[at] ?? []
  })
}

/** The snapshots that replies and operations of earlier releases name, each at the place of its event. */
async function spansOfEarlierReleases(
  session: Session,
  { operations }: Outline,
  events: readonly FileEvent[],
  { store }: Ports,
) {
  const seqs = events.flatMap((event) => ('seq' in event ? [event.seq] : []))
  const messages = seqs.length === 0 ? [] : await store.history.fileChangesAt(session.id, toRanges(seqs))
  // The changes in a branch's copies were made by its parent's runs, and the parent still depends on them.
  const own = messages.filter(({ createdAt }) => session.parentId === null || createdAt >= session.createdAt)
  const bySeq = new Map(own.map(({ seq, metadata }) => [seq, metadata.workspace]))
  const byId = new Map(operations.map(({ id, detail }) => [id, detail]))
  return events.map((event): FileSpan | null => {
    if ('seq' in event) return bySeq.get(event.seq) ?? null
    const { snapshotId, previousSnapshotId } = byId.get(event.operationId) ?? {}
    return snapshotId === undefined || previousSnapshotId === undefined
      ? null
      : { before: previousSnapshotId, after: snapshotId }
  })
}

async function snapshotChanges(
  sessionId: string,
  root: string,
  spans: readonly (FileSpan | null)[],
  ports: Ports,
): Promise<FileChangeRow[][]> {
  const named = spans.filter((span) => span !== null)
  if (named.length === 0) return []
  const changed = await comparedSnapshots(sessionId, root, named, ports)
  let at = 0
  return spans.map((span): FileChangeRow[] => {
    if (span === null) return []
    return (changed[at++] ?? []).map(({ path, before, after, notKept }) => ({
      ...rowBase(sessionId, root, ports.clock),
      ordinal: 0,
      author: 'call',
      path,
      before,
      after,
      status: notKept === null ? 'made' : 'not-kept',
      reason: notKept,
    }))
  })
}

/** What differs between snapshots; nothing where they are not there any more, so that the operation is still possible. */
async function comparedSnapshots(
  sessionId: string,
  root: string,
  spans: readonly FileSpan[],
  { snapshots, logger }: Ports,
): Promise<FileDelta[][]> {
  try {
    return await snapshots.changed(root, spans)
  } catch (error) {
    logger.error({ error, sessionId }, 'Snapshots of an earlier release could not be compared')
    const known: FileDelta[][] = []
    // One that is missing fails all of them.
    for (const span of spans) known.push(...(await snapshots.changed(root, [span]).catch(() => [[]])))
    return known
  }
}
