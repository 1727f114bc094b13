import { AppError } from '../../domain/errors.ts'
import {
  type FileChangeRow,
  type FileChoices,
  type FileFate,
  type NewFileChange,
  sameState,
} from '../../domain/file-journal.ts'
import type { FileSpan } from '../../domain/file-span.ts'
import type { HistoryDetail } from '../../domain/history-operation.ts'
import type { Outline } from '../../domain/outline.ts'
import { toRanges } from '../../domain/seq-ranges.ts'
import type { Session } from '../../domain/session.ts'
import type {
  Clock,
  FileChangeUpdate,
  FoundFile,
  Logger,
  Snapshots,
  Store,
  WorkspaceFiles,
  Workspaces,
} from '../../ports/index.ts'
import type { CallJournal } from '../../tool/tool.ts'
import type { RewoundFiles } from '../history-service.ts'
import { type CallOwner, createChangeRecorder } from './change-recorder.ts'
import { allRows } from './journal-rows.ts'
import {
  besideName,
  decideFile,
  type FileEvent,
  planFiles,
  type WantedFile,
  wantedFiles,
} from './plan-files.ts'
import { workspaceOf } from './workspace-of.ts'

/** What an operation is going to do with files: rows that are stored with it, and what a person is shown. */
export type FilePlan = { root: string; rows: NewFileChange[]; fates: FileFate[] }

/** Fates that one result has. */
const MAX_FATES = 1_000
/** Files that are looked at together. */
const LOOKED_AT_ONCE = 32
/** Moved files after which progress is stored. */
const STORED_AT_ONCE = 100
/** Files in a row that can't be written, after which the rest waits: the disk is full, or read-only. */
const MAX_FAILURES = 20

const PENDING =
  'Files of an earlier rewind could not be restored. Settle them first, or go on with the files as they are.'

/** The files that sessions work on: what calls change, and what operations on the history restore. */
export type Workspace = {
  /** Whether all changes in the folder of a session are noted. */
  keeps(session: Session): Promise<boolean>
  /** The journal of a run's calls; null without a folder, or where nothing is kept. */
  openRun(owner: CallOwner, root: string | null): CallJournal | null
  /** Resolves once no call of the session changes files any more. */
  idle(session: Session): Promise<void>
  /** What an operation does to the files; null where nothing is kept. `choices`: what to do with those that somebody else has changed. */
  plan(
    session: Session,
    outline: Outline,
    operation: PlannedOperation,
    choices?: FileChoices,
  ): Promise<FilePlan | null>
  /** A plan for files that are wanted to be something. */
  planWanted(
    session: Session,
    wanted: readonly WantedFile[],
    operationId: string,
    choices?: FileChoices,
  ): Promise<FilePlan | null>
  /** Restores the files of a stored operation, or goes on with it. */
  restore(sessionId: string, plan: FilePlan | null): Promise<RewoundFiles | null>
  /** Tries again to restore what is pending. `FILES_PENDING` when something still is, unless that is given up with `leave`. */
  settle(sessionId: string, leave: boolean): Promise<void>
  /** Files of a session's operations that are pending. */
  pending(sessionId: string): Promise<FileChangeRow[]>
  /** Finishes what an earlier host has left, before anything else runs. */
  recover(): Promise<void>
}

export type PlannedOperation = { id: string; detail: HistoryDetail }

type LayerPorts = {
  store: Store
  clock: Clock
  logger: Logger
  workspaces: Workspaces
  files: WorkspaceFiles
  snapshots: Snapshots
}

/** The workspaces of a host. A folder that the operator does not allow is treated as none. */
export function createWorkspace({
  snapshots,
  ...ports
}: Omit<LayerPorts, 'snapshots'> & { snapshots?: Snapshots }): Workspace {
  return snapshots === undefined ? NOTHING_KEPT : keepWorkspace({ ...ports, snapshots })
}

function keepWorkspace(ports: LayerPorts): Workspace {
  const { store, clock, logger, workspaces, snapshots } = ports
  const recorder = createChangeRecorder(ports)
  /** Sessions that have pending files. */
  const unsettled = new Set<string>()

  async function rowsOfEvents(
    session: Session,
    root: string,
    outline: Outline,
    rows: readonly FileChangeRow[],
    events: readonly FileEvent[],
  ): Promise<FileChangeRow[][]> {
    const ids = new Map(outline.entries.map(({ seq, id }) => [seq, id]))
    const byMessage = Map.groupBy(rows, ({ messageId }) => messageId)
    const byOperation = Map.groupBy(rows, ({ operationId }) => operationId)
    const earlier = await spansOfEarlierReleases(session, outline, events)
    const found = await snapshotChanges(session.id, root, earlier)
    return events.map((event, at) => {
      const own =
        'seq' in event ? byMessage.get(ids.get(event.seq) ?? '') : byOperation.get(event.operationId)
      return own ?? found[at] ?? []
    })
  }

  /** The snapshots that replies and operations of earlier releases name, each at the place of its event. */
  async function spansOfEarlierReleases(
    session: Session,
    { operations }: Outline,
    events: readonly FileEvent[],
  ) {
    const seqs = events.flatMap((event) => ('seq' in event ? [event.seq] : []))
    const messages = seqs.length === 0 ? [] : await store.history.fileChangesAt(session.id, toRanges(seqs))
    // The changes in a branch's copies were made by its parent's runs, and the parent still depends on them.
    const own = messages.filter(
      ({ createdAt }) => session.parentId === null || createdAt >= session.createdAt,
    )
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

  async function snapshotChanges(sessionId: string, root: string, spans: readonly (FileSpan | null)[]) {
    const named = spans.filter((span) => span !== null)
    if (named.length === 0) return []
    const changed = await snapshots.changed(root, named)
    let at = 0
    return spans.map((span): FileChangeRow[] => {
      if (span === null) return []
      return (changed[at++] ?? []).map(({ path, before, after, notKept }) => ({
        ...rowBase(sessionId, root),
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

  function rowBase(sessionId: string, root: string) {
    return {
      sessionId,
      root,
      messageId: null,
      runId: null,
      toolCallId: null,
      madeIn: sessionId,
      operationId: null,
      createdAt: clock.now(),
    }
  }

  function personRow(sessionId: string, root: string) {
    return {
      ...rowBase(sessionId, root),
      author: 'person' as const,
      status: 'made' as const,
      reason: null,
    }
  }

  async function lookAtAll(root: string, paths: readonly string[]): Promise<FoundFile[]> {
    const found: FoundFile[] = []
    for (let start = 0; start < paths.length; start += LOOKED_AT_ONCE) {
      const some = paths.slice(start, start + LOOKED_AT_ONCE)
      found.push(...(await Promise.all(some.map((path) => snapshots.look(root, path)))))
    }
    return found
  }

  async function planWanted(
    session: Session,
    wanted: readonly WantedFile[],
    operationId: string,
    choices: FileChoices = [],
  ): Promise<FilePlan | null> {
    const root = await workspaceOf(session, workspaces)
    if (root === null) return null
    const chosen = new Map(choices.map(({ path, choice }) => [path, choice]))
    const found = await lookAtAll(
      root,
      wanted.map(({ path }) => path),
    )
    const plan: FilePlan = { root, rows: [], fates: [] }
    const base = { ...rowBase(session.id, root), author: 'operation' as const, operationId, reason: null }
    for (const [at, file] of wanted.entries()) {
      const decided = decideFile(file, found[at] ?? UNREACHED, chosen.get(file.path))
      if (decided.type === 'leave') continue
      const { path, target: after } = file
      plan.fates.push(decided.fate)
      if (decided.type === 'restore')
        plan.rows.push({ ...base, path, before: decided.from, after, status: 'pending' })
      if (decided.type === 'keep') {
        const status = decided.fate.fate === 'conflict' ? 'conflict' : 'settled'
        plan.rows.push({ ...base, path, before: decided.found, after, status })
      }
      if (decided.type === 'beside') {
        const copy = await freeName(root, path)
        plan.fates[plan.fates.length - 1] = { path, fate: 'beside', copy }
        plan.rows.push({ ...base, path, before: decided.found, after, status: 'settled' })
        plan.rows.push({ ...base, path: copy, before: null, after, status: 'pending' })
      }
    }
    return plan
  }

  async function freeName(root: string, path: string): Promise<string> {
    for (let number = 0; ; number++) {
      const name = besideName(path, number)
      const found = await snapshots.look(root, name)
      if (found.type === 'file' && found.state === null) return name
    }
  }

  /** Restores pending rows and returns what has become of each. */
  async function apply(rows: readonly FileChangeRow[]): Promise<FileChangeRow[]> {
    const done: FileChangeRow[] = []
    let waiting: FileChangeUpdate[] = []
    let others: NewFileChange[] = []
    let failures = 0
    const store_ = async () => {
      const [updates, added] = [waiting, others]
      waiting = []
      others = []
      if (added.length > 0) await store.fileChanges.add(added)
      if (updates.length > 0) await store.fileChanges.update(updates)
    }
    for (const row of inOrder(rows)) {
      const result = failures < MAX_FAILURES ? await moveOne(row) : null
      if (result === null) {
        failures += 1
        done.push(row)
        continue
      }
      failures = 0
      waiting.push({ ordinal: row.ordinal, ...result.update })
      others.push(...result.others)
      done.push({ ...row, ...result.update })
      if (waiting.length >= STORED_AT_ONCE) await store_()
    }
    await store_()
    return done
  }

  /** Null when the file can't be written now. */
  async function moveOne({ sessionId, root, path, before, after }: FileChangeRow) {
    try {
      const moved = await snapshots.move(root, { path, from: before, to: after })
      const person = personRow(sessionId, root)
      const others = moved.others.map((state) => ({ ...person, path, before, after: state }))
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

  async function pending(sessionId: string): Promise<FileChangeRow[]> {
    if (!unsettled.has(sessionId)) return []
    const rows = await store.fileChanges.unfinished()
    return rows.filter((row) => row.sessionId === sessionId && row.status === 'pending')
  }

  async function applyPending(sessionId: string): Promise<FileChangeRow[]> {
    const rows = await apply(await pending(sessionId))
    if (rows.every(({ status }) => status !== 'pending')) unsettled.delete(sessionId)
    return rows
  }

  /** Removes what an end in the middle of moves has left, and notes versions that only that held. */
  async function cleanUp(root: string, rows: readonly FileChangeRow[]): Promise<void> {
    const found = await snapshots.clean(
      root,
      rows.map(({ path }) => path),
    )
    const unnamed = found.flatMap(({ path, state }) => {
      const row = rows.find((one) => one.path === path)
      if (row === undefined || sameState(row.before, state) || sameState(row.after, state)) return []
      return [{ ...personRow(row.sessionId, root), path, before: row.before, after: state }]
    })
    if (unnamed.length > 0) await store.fileChanges.add(unnamed)
  }

  return {
    async keeps(session) {
      const root = await workspaceOf(session, workspaces)
      return root !== null && (await snapshots.covers(root).catch(() => false))
    },

    openRun: (owner, root) => (root === null ? null : recorder.openRun(owner, root)),
    idle: (session) => (session.workspaceRoot === null ? Promise.resolve() : recorder.idle(session.id)),

    async plan(session, outline, { id, detail }, choices) {
      if (session.workspaceRoot === null) return null
      const root = await workspaceOf(session, workspaces)
      if (root === null) return null
      const moves = planFiles(outline, detail)
      if (moves.undone.length + moves.redone.length === 0) return { root, rows: [], fates: [] }
      const rows = (await allRows(store, session.id)).filter((row) => row.root === root && isOfChat(row))
      const latest = new Map(rows.map((row) => [row.path, row]))
      const [undone, redone] = [
        await rowsOfEvents(session, root, outline, rows, moves.undone),
        await rowsOfEvents(session, root, outline, rows, moves.redone),
      ]
      return await planWanted(session, wantedFiles(undone, redone, latest), id, choices)
    },

    planWanted,

    async restore(sessionId, plan) {
      if (plan === null) return null
      const conflicts = new Set<string>()
      let count = 0
      let failed = false
      if (plan.rows.some(({ status }) => status === 'pending')) {
        unsettled.add(sessionId)
        for (const { path, status } of await applyPending(sessionId)) {
          if (status === 'made') count += 1
          if (status === 'conflict') conflicts.add(path)
          if (status === 'pending') failed = true
        }
      }
      const fates = plan.fates.map((fate) =>
        conflicts.has(fate.path) ? { path: fate.path, fate: 'conflict' as const } : fate,
      )
      return { count, ...(failed && { failed: true as const }), fates: fates.slice(0, MAX_FATES) }
    },

    async settle(sessionId, leave) {
      if (!unsettled.has(sessionId)) return
      const left = (await applyPending(sessionId)).filter(({ status }) => status === 'pending')
      if (left.length === 0) return
      if (!leave) throw new AppError('FILES_PENDING', PENDING, { field: 'filesAsTheyAre' })
      await store.fileChanges.update(left.map(({ ordinal }) => ({ ordinal, status: 'settled' as const })))
      unsettled.delete(sessionId)
    },

    pending,

    async recover() {
      const rows = await store.fileChanges.unfinished()
      if (rows.length === 0) return
      const left = rows.filter(({ status }) => status === 'pending')
      for (const [root, own] of Map.groupBy(left, (row) => row.root)) await cleanUp(root, own)
      for (const sessionId of new Set(left.map((row) => row.sessionId))) {
        unsettled.add(sessionId)
        await applyPending(sessionId)
      }
      await recorder.adopt(rows.filter(({ status }) => status === 'open'))
    },
  }
}

const UNREACHED: FoundFile = { type: 'blocked', reason: 'unreadable' }

/** What the chat itself has done to files: its calls and operations. */
function isOfChat({ author, status, path }: FileChangeRow): boolean {
  if (author === 'person' || path === '.') return false
  return status === 'made' || status === 'uncertain' || status === 'not-kept'
}

/** Files are removed before others are made: a folder may take the place of one. The innermost go first. */
function inOrder(rows: readonly FileChangeRow[]): FileChangeRow[] {
  const removals = rows.filter(({ after }) => after === null)
  const others = rows.filter(({ after }) => after !== null)
  return [...removals.toSorted((a, b) => b.path.split('/').length - a.path.split('/').length), ...others]
}

/** What an operation notes of the files that it restores. */
export function filesNoted(plan: FilePlan | null): Pick<HistoryDetail, 'fileCount'> {
  const fileCount = countOf(plan)
  return fileCount === 0 ? {} : { fileCount }
}

/** What a person is shown before an operation. */
export function filesPlanned(plan: FilePlan | null): { files?: RewoundFiles } {
  return plan === null ? {} : { files: { count: countOf(plan), fates: plan.fates.slice(0, MAX_FATES) } }
}

function countOf(plan: FilePlan | null): number {
  return plan?.rows.filter(({ status }) => status === 'pending').length ?? 0
}

const NOTHING_KEPT: Workspace = {
  keeps: () => Promise.resolve(false),
  openRun: () => null,
  idle: () => Promise.resolve(),
  plan: () => Promise.resolve(null),
  planWanted: () => Promise.resolve(null),
  restore: () => Promise.resolve(null),
  settle: () => Promise.resolve(),
  pending: () => Promise.resolve([]),
  recover: () => Promise.resolve(),
}
