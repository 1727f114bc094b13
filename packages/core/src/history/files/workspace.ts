import { AppError } from '../../domain/errors.ts'
import type { HistoryDetail } from '../../domain/history/history-operation.ts'
import type { Outline } from '../../domain/history/outline.ts'
import type { Session } from '../../domain/session/session.ts'
import type { FileChangeRow, FileChoices } from '../../domain/workspace/file-journal.ts'
import type {
  CallJournal,
  Clock,
  Logger,
  Snapshots,
  Store,
  WorkspaceFiles,
  Workspaces,
} from '../../ports/index.ts'
import type { RewoundFiles } from '../history-service.ts'
import type { CallOwner } from './call-rows.ts'
import { createChangeRecorder } from './change-recorder.ts'
import { rowsOfEvents } from './concerned-rows.ts'
import { allRows } from './journal-rows.ts'
import { planFiles, type WantedFile, wantedFiles } from './plan-files.ts'
import { type FilePlan, planRestore } from './plan-restore.ts'
import { cleanUp, restoreRows } from './restore-rows.ts'
import { workspaceOf } from './workspace-of.ts'

/** Fates that one result has. */
const MAX_FATES = 1_000

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
  const { store, workspaces, snapshots } = ports
  const recorder = createChangeRecorder(ports)
  /** Sessions that have pending files. */
  const unsettled = new Set<string>()

  async function pending(sessionId: string): Promise<FileChangeRow[]> {
    if (!unsettled.has(sessionId)) return []
    const rows = await store.fileChanges.unfinished()
    return rows.filter((row) => row.sessionId === sessionId && row.status === 'pending')
  }

  async function applyPending(sessionId: string): Promise<FileChangeRow[]> {
    const rows = await restoreRows(await pending(sessionId), recorder, ports)
    if (rows.every(({ status }) => status !== 'pending')) unsettled.delete(sessionId)
    return rows
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
      const place = { session, root, outline, rows }
      const undone = await rowsOfEvents(place, moves.undone, ports)
      const redone = await rowsOfEvents(place, moves.redone, ports)
      return await planRestore({ session, root }, wantedFiles(undone, redone, latest), { id, choices }, ports)
    },

    async planWanted(session, wanted, id, choices) {
      const root = await workspaceOf(session, workspaces)
      return root === null ? null : await planRestore({ session, root }, wanted, { id, choices }, ports)
    },

    async restore(sessionId, plan) {
      if (plan === null) return null
      if (countOf(plan) === 0) return restoredFiles(plan, [])
      unsettled.add(sessionId)
      return restoredFiles(plan, await applyPending(sessionId))
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
      for (const [root, own] of Map.groupBy(left, (row) => row.root)) await cleanUp(root, own, ports)
      for (const sessionId of new Set(left.map((row) => row.sessionId))) {
        unsettled.add(sessionId)
        await applyPending(sessionId)
      }
      await recorder.adopt(rows.filter(({ status }) => status === 'open'))
    },
  }
}

/** What the chat itself has done to files: its calls and operations. */
function isOfChat({ author, status, path }: FileChangeRow): boolean {
  if (author === 'person' || path === '.') return false
  return status === 'made' || status === 'uncertain' || status === 'not-kept'
}

/** What has become of the files of a plan, given its rows after it. */
function restoredFiles(plan: FilePlan, rows: readonly FileChangeRow[]): RewoundFiles {
  const byStatus = Map.groupBy(rows, ({ status }) => status)
  const conflicts = new Set(byStatus.get('conflict')?.map(({ path }) => path))
  const fates = plan.fates.map((fate) =>
    conflicts.has(fate.path) ? { path: fate.path, fate: 'conflict' as const } : fate,
  )
  return {
    count: byStatus.get('made')?.length ?? 0,
    ...(byStatus.has('pending') && { failed: true as const }),
    fates: fates.slice(0, MAX_FATES),
  }
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
