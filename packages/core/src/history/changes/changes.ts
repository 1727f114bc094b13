import { AppError } from '../../domain/errors.ts'
import type { Session } from '../../domain/session/session.ts'
import { diffFiles, patchDiff } from '../../domain/workspace/diff-files.ts'
import type { FileChange } from '../../domain/workspace/file-change.ts'
import { type FileChangeRow, type FileState, sameState } from '../../domain/workspace/file-journal.ts'
import { decodeText, encodeText } from '../../domain/workspace/text-file.ts'
import type { Snapshots } from '../../ports/index.ts'
import { announceChange, type HistoryPorts, visibilityChange, withExclusiveClaim } from '../apply/perform.ts'
import { allRows } from '../files/journal-rows.ts'
import type { WantedFile } from '../files/plan-files.ts'
import type { FilePlan } from '../files/plan-restore.ts'
import { filesNoted } from '../files/workspace.ts'
import { workspaceOf } from '../files/workspace-of.ts'
import type { ChangedFile, ChangeMoment, ChangesResult, ChangesService } from './changes-service.ts'
import {
  conflictOf,
  isOfChat,
  kindOf,
  NOTHING,
  notKeptOf,
  nowOf,
  patchOf,
  patchText,
  pendingOf,
  shownText,
  wholeFile,
} from './describe-changes.ts'
import { countHunks, revertHunks } from './hunks.ts'
import { entryOf, isOnDisk, stateAt } from './moments.ts'

/** Files whose lines are counted for one list; of the others only names are shown. */
const MAX_COUNTED = 300
/** Bytes of the largest file of which lines are compared. */
const MAX_DIFFED = 1_000_000

/** The files that a chat has changed, and operations that take changes back. */
export function createChanges(
  ports: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
): ChangesService {
  const { store, workspace, workspaces, snapshots } = ports

  async function rootOfSession(session: Session): Promise<string> {
    const root = await workspaceOf(session, workspaces)
    if (root === null || snapshots === undefined)
      throw new AppError('INVALID_INPUT', 'This chat has no folder whose changes are kept.', {
        field: 'sessionId',
      })
    return root
  }

  /** The rows of a chat in its folder, and those of one run of it. */
  async function rowsOf(sessionId: string, root: string, runId: string | undefined) {
    const all = (await allRows(store, sessionId)).filter((row) => row.root === root)
    return { all, own: runId === undefined ? all : all.filter((row) => row.runId === runId) }
  }

  async function textOf(
    layer: Snapshots,
    root: string,
    state: FileState | null,
    decode = shownText,
  ): Promise<string | null> {
    if (state === null) return ''
    const bytes = await layer.read(root, state.id)
    return bytes === null || bytes.length > MAX_DIFFED ? null : decode(bytes)
  }

  /** Both texts; `old` is null where there was no file. Null unless both are texts that are compared. */
  async function textsOf(
    root: string,
    before: FileState | null,
    after: FileState | null,
    decode = shownText,
  ): Promise<{ old: string | null; now: string } | null> {
    if (snapshots === undefined) return null
    const old = await textOf(snapshots, root, before, decode)
    const now = await textOf(snapshots, root, after, decode)
    return old === null || now === null ? null : { old: before === null ? null : old, now }
  }

  async function compare(
    root: string,
    path: string,
    before: FileState | null,
    after: FileState | null,
  ): Promise<FileChange | null> {
    const texts = await textsOf(root, before, after)
    return texts === null ? null : diffFiles(path, texts.old, texts.now)
  }

  async function changedFile(
    root: string,
    path: string,
    rows: readonly FileChangeRow[],
    left: FileState | null,
    counts: boolean,
  ): Promise<ChangedFile | null> {
    const chats = rows.filter(isOfChat)
    const [first, last] = [chats[0], chats.at(-1)]
    if (first === undefined || last === undefined || snapshots === undefined) return null
    // What a run changed may have been taken back since.
    const after = sameState(left, first.before) ? left : last.after
    const counted = counts ? await compare(root, path, first.before, after) : null
    return {
      path,
      change: kindOf(first.before, after),
      lines: counted === null ? null : { added: counted.added, removed: counted.removed },
      now: nowOf(await snapshots.look(root, path), left),
      entries: rows.map(entryOf),
    }
  }

  /** Applies a plan as an operation that changes no messages. */
  async function perform(
    session: Session,
    operationId: string,
    plan: FilePlan | null,
  ): Promise<ChangesResult> {
    const outline = await store.history.outline(session.id)
    const lastSeq = outline.entries.at(-1)?.seq ?? 0
    const detail = { lastSeq, hidden: [], shown: [], ...filesNoted(plan) }
    const operation = { id: operationId, kind: 'revert' as const, detail }
    const change = await visibilityChange(session, outline, operation, ports)
    const changed = await store.history.apply({ ...change, files: plan?.rows ?? [] })
    const restored = await workspace.restore(session.id, plan)
    await announceChange(change, outline, changed, ports)
    return { operationId, fates: restored?.fates ?? [] }
  }

  async function begin<T>(
    sessionId: string,
    work: (session: Session, operationId: string) => Promise<T>,
  ): Promise<T> {
    const session = await requireSession(sessionId)
    return await withExclusiveClaim(ports, sessionId, async (operationId) => {
      await workspace.settle(sessionId, false)
      await workspace.idle(session)
      return await work(session, operationId)
    })
  }

  return {
    async list({ sessionId, runId }) {
      const session = await requireSession(sessionId)
      const root = await workspaceOf(session, workspaces)
      if (root === null || snapshots === undefined) return NOTHING
      const { all, own } = await rowsOf(sessionId, root, runId)
      const byPath = Map.groupBy(own.filter(isOnDisk), ({ path }) => path)
      const files: ChangedFile[] = []
      for (const [path, rows] of byPath) {
        const latest = all.findLast((row) => row.path === path && isOfChat(row))
        const file = await changedFile(root, path, rows, latest?.after ?? null, files.length < MAX_COUNTED)
        if (file !== null) files.push(file)
      }
      const pending = all.filter(({ status }) => status === 'pending')
      return {
        coverage: (await workspace.keeps(session)) ? 'all' : 'write-and-edit',
        files,
        notKept: own.flatMap(notKeptOf),
        conflicts: all.flatMap(conflictOf),
        pending: pendingOf(pending),
      }
    },

    async diff({ sessionId, path, from = { at: 'start' }, to = { at: 'now' } }) {
      const session = await requireSession(sessionId)
      const root = await rootOfSession(session)
      const { all } = await rowsOf(sessionId, root, undefined)
      const rows = all.filter((row) => row.path === path && isOnDisk(row))
      if (rows.length === 0)
        throw new AppError('INVALID_INPUT', 'This chat has not changed this file.', { field: 'path' })
      const stateOf = async (moment: ChangeMoment, field: string) => {
        if (moment.at !== 'now') return stateAt(rows, moment, field)
        const found = await snapshots?.look(root, path)
        return found?.type === 'file' ? found.state : null
      }
      const [before, after] = [await stateOf(from, 'from'), await stateOf(to, 'to')]
      const change = await compare(root, path, before, after)
      const side = async (state: FileState | null) =>
        state === null
          ? null
          : { mode: state.mode, bytes: (await snapshots?.read(root, state.id))?.length ?? 0 }
      return {
        path,
        change,
        hunks: change === null ? 0 : countHunks(change.diff),
        before: await side(before),
        after: await side(after),
      }
    },

    revert: ({ sessionId, runId, paths, hunks, files }) =>
      begin(sessionId, async (session, operationId) => {
        if ((paths === undefined) === (hunks === undefined))
          throw new AppError('INVALID_INPUT', 'Name paths, or hunks.', { field: 'paths' })
        const root = await rootOfSession(session)
        const { all, own } = await rowsOf(sessionId, root, runId)
        const latest = new Map(all.filter(isOfChat).map((row) => [row.path, row]))
        const wanted: WantedFile[] = []
        for (const [at, path] of (paths ?? hunks?.map((one) => one.path) ?? []).entries()) {
          const rows = own.filter((row) => row.path === path && isOfChat(row))
          const field = paths === undefined ? `hunks.${at}.path` : `paths.${at}`
          const whole = wholeFile(path, rows, latest.get(path), field)
          const part = hunks?.[at]
          wanted.push(part === undefined ? whole : await withoutHunks(root, whole, part.hunks, at))
        }
        return await perform(
          session,
          operationId,
          await workspace.planWanted(session, wanted, operationId, files),
        )
      }),

    resolve: ({ sessionId, operationId: resolved, files }) =>
      begin(sessionId, async (session, operationId) => {
        const root = await rootOfSession(session)
        const { all } = await rowsOf(sessionId, root, undefined)
        const rows = files.map(({ path }, at) => {
          const row = all.find(
            (one) => one.operationId === resolved && one.path === path && one.status === 'conflict',
          )
          if (row === undefined)
            throw new AppError('CONFLICT', 'This file is no open conflict of this operation.', {
              field: `files.${at}.path`,
            })
          return row
        })
        // What is there now was not left by the chat, so that the choice decides.
        const wanted = rows.map(({ path, after }) => ({
          path,
          target: after,
          ours: null,
          uncertain: true,
          notKept: null,
        }))
        const plan = await workspace.planWanted(session, wanted, operationId, files)
        const result = await perform(session, operationId, plan)
        await store.fileChanges.update(rows.map(({ ordinal }) => ({ ordinal, status: 'settled' as const })))
        return result
      }),

    async settle({ sessionId, leave = false }) {
      const session = await requireSession(sessionId)
      return await withExclusiveClaim(ports, sessionId, async () => {
        await workspace.settle(session.id, leave).catch((error: unknown) => {
          if (!(error instanceof AppError) || error.code !== 'FILES_PENDING') throw error
        })
        return { pending: pendingOf(await workspace.pending(sessionId)) }
      })
    },

    async patch({ sessionId, runId, paths }) {
      const session = await requireSession(sessionId)
      const root = await workspaceOf(session, workspaces)
      if (root === null) return { patch: '' }
      const { own } = await rowsOf(sessionId, root, runId)
      const chosen = paths === undefined ? null : new Set(paths)
      const byPath = Map.groupBy(
        own.filter((row) => isOfChat(row) && chosen?.has(row.path) !== false),
        ({ path }) => path,
      )
      const diffs: string[] = []
      for (const [path, rows] of byPath) {
        const [before, after] = [rows[0]?.before ?? null, rows.at(-1)?.after ?? null]
        if (sameState(before, after)) continue
        const texts = await textsOf(root, before, after, patchText)
        if (texts !== null) diffs.push(patchOf(path, before, after, patchDiff(path, texts.old, texts.now)))
      }
      return { patch: diffs.join('') }
    },
  }

  /** The file as it is now, without some hunks of what the chat has done to it. */
  async function withoutHunks(
    root: string,
    file: WantedFile,
    hunks: readonly number[],
    at: number,
  ): Promise<WantedFile> {
    const field = `hunks.${at}.hunks`
    const layer = snapshots
    const found = await layer?.look(root, file.path)
    if (layer === undefined || found?.type !== 'file' || found.state === null || file.target === null)
      throw new AppError('CONFLICT', 'Take the whole file back: it has no two versions.', { field })
    const bytes = await layer.read(root, found.state.id)
    const text = bytes === null ? null : decodeText(bytes)
    const before = await textOf(layer, root, file.target)
    if (text === null || before === null)
      throw new AppError('CONFLICT', 'Only of a text are parts taken back.', { field })
    const reverted = revertHunks(before, text.text, hunks)
    if (reverted === null) throw new AppError('INVALID_INPUT', 'There is no such hunk.', { field })
    const id = await layer.keep(root, encodeText(reverted, text))
    // The rest stays as it is, whoever wrote it.
    return { ...file, target: { ...found.state, id }, ours: found.state, uncertain: false }
  }
}
