import { type FileChangeRow, type NewFileChange, sameState } from '../../domain/workspace/file-journal.ts'
import type { Clock, FileChangeUpdate, Logger, Snapshots, Store } from '../../ports/index.ts'
import type { ChangeRecorder } from './change-recorder.ts'
import { personRow } from './journal-rows.ts'

/** Moved files after which progress is stored. */
const STORED_AT_ONCE = 100
/** Files in a row that can't be written, after which the rest waits: the disk is full, or read-only. */
const MAX_FAILURES = 20

type Ports = { store: Store; snapshots: Snapshots; clock: Clock; logger: Logger }

/** Restores pending rows and returns what has become of each. */
export async function restoreRows(
  rows: readonly FileChangeRow[],
  recorder: Pick<ChangeRecorder, 'known'>,
  ports: Ports,
): Promise<FileChangeRow[]> {
  const { fileChanges } = ports.store
  const done: FileChangeRow[] = []
  let waiting: FileChangeUpdate[] = []
  let others: NewFileChange[] = []
  let failures = 0
  const save = async () => {
    const [updates, added] = [waiting, others]
    waiting = []
    others = []
    if (added.length > 0) await fileChanges.add(added)
    if (updates.length > 0) await fileChanges.update(updates)
  }
  for (const row of inOrder(rows)) {
    const result = failures < MAX_FAILURES ? await moveOne(row, recorder, ports) : null
    if (result === null) {
      failures += 1
      done.push(row)
      continue
    }
    failures = 0
    waiting.push({ ordinal: row.ordinal, ...result.update })
    others.push(...result.others)
    done.push({ ...row, ...result.update })
    if (waiting.length >= STORED_AT_ONCE) await save()
  }
  await save()
  return done
}

/** Null when the file can't be written now. */
async function moveOne(
  { sessionId, root, path, before, after }: FileChangeRow,
  recorder: Pick<ChangeRecorder, 'known'>,
  { snapshots, logger, clock }: Ports,
) {
  try {
    const moved = await snapshots.move(root, { path, from: before, to: after })
    const others = moved.others.map((state) =>
      personRow(sessionId, { root, path, before, after: state }, clock),
    )
    if (moved.type === 'done') {
      recorder.known(root, path, after)
      return { update: { status: 'made' as const }, others }
    }
    const { found } = moved
    const seen = found.type === 'file' && !sameState(found.state, before) ? { before: found.state } : {}
    return { update: { status: 'conflict' as const, ...seen }, others }
  } catch (error) {
    logger.error({ error, sessionId }, 'A file could not be restored')
    return null
  }
}

/** Removes what an end in the middle of moves has left, and notes versions that only that held. */
export async function cleanUp(
  root: string,
  rows: readonly FileChangeRow[],
  { store, snapshots, clock }: Ports,
): Promise<void> {
  const found = await snapshots.clean(
    root,
    rows.map(({ path }) => path),
  )
  const unnamed = found.flatMap(({ path, state }) => {
    const row = rows.find((one) => one.path === path)
    if (row === undefined || sameState(row.before, state) || sameState(row.after, state)) return []
    return [personRow(row.sessionId, { root, path, before: row.before, after: state }, clock)]
  })
  if (unnamed.length > 0) await store.fileChanges.add(unnamed)
}

/** Files are removed before others are made: a folder may take the place of one. The innermost go first. */
function inOrder(rows: readonly FileChangeRow[]): FileChangeRow[] {
  const removals = rows.filter(({ after }) => after === null)
  const others = rows.filter(({ after }) => after !== null)
  return [...removals.toSorted((a, b) => b.path.split('/').length - a.path.split('/').length), ...others]
}
