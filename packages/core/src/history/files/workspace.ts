import type { HistoryDetail } from '../../domain/history/history-operation.ts'
import type { Outline } from '../../domain/history/outline.ts'
import type { Session } from '../../domain/session/session.ts'
import { toRanges } from '../../domain/values/seq-ranges.ts'
import type { FileSpan } from '../../domain/workspace/file-span.ts'
import type { Logger, SnapshotSource, Snapshots, Store, Workspaces } from '../../ports/index.ts'
import { type FileEvent, fileTargets, planFiles } from './plan-files.ts'
import { workspaceOf } from './workspace-of.ts'

/** A change of files that is about to be made, at these paths; `before` is the present. */
export type FilePlan = FileSpan & { paths: readonly string[] }

/**
 * The files that sessions work on, as far as a snapshot layer keeps them. Nothing here fails: where the layer does, files
 * stay as they are and the log says why.
 */
export type Workspace = {
  /** Whether the layer keeps the files of a session. */
  keeps(session: Session): Promise<boolean>
  /** The present state; null without a layer. `root`: the session's folder, where it is resolved already. */
  capture(session: Session, root?: Promise<string | null>): Promise<string | null>
  /** What a run did since the state `before`; null when that was nothing. */
  spanSince(session: Session, before: string | null): Promise<FileSpan | null>
  /**
   * What an operation does to the files: it moves those that the runs and operations concerned have changed, and no
   * others. Null without a layer, or for states that it does not have.
   */
  plan(session: Session, outline: Outline, detail: HistoryDetail): Promise<FilePlan | null>
  /** False when the files could not be restored. */
  restoreFiles(session: Session, plan: FilePlan): Promise<boolean>
}

type LayerPorts = { store: Store; logger: Logger; workspaces: Workspaces; snapshots: Snapshots }

/** The workspaces of a host. A folder that the operator or the layer does not allow is treated as one without a layer. */
export function createWorkspace({
  snapshots,
  ...ports
}: Omit<LayerPorts, 'snapshots'> & Partial<LayerPorts>): Workspace {
  return snapshots === undefined ? NOTHING_KEPT : keepWorkspace({ ...ports, snapshots })
}

function keepWorkspace({ store, logger, workspaces, snapshots }: LayerPorts): Workspace {
  async function capture(session: Session, resolved?: Promise<string | null>): Promise<string | null> {
    const take = async (root: string) => {
      const state = await snapshots.capture(root)
      if (state === null)
        logger.warn({ sessionId: session.id }, 'The files of the workspace were not captured')
      return state
    }
    return await attempt(session, take, resolved)
  }

  async function attempt<T>(
    session: Session,
    work: (root: string) => Promise<T>,
    resolved?: Promise<string | null>,
  ): Promise<T | null> {
    try {
      const root = await (resolved ?? workspaceOf(session, workspaces))
      return root === null || !(await snapshots.covers(root)) ? null : await work(root)
    } catch (error) {
      logger.error({ error, sessionId: session.id }, 'The snapshot layer failed')
      return null
    }
  }

  async function changes(session: Session, root: string, events: readonly FileEvent[]) {
    const spans = await spansOf(session, events, store)
    const changed = await snapshots.changed(root, spans)
    return spans.map((span, at) => ({ span, paths: changed[at] ?? [] }))
  }

  return {
    keeps: async (session) => (await attempt(session, () => Promise.resolve(true))) ?? false,

    capture,

    async spanSince(session, before) {
      const after = before === null ? null : await capture(session)
      return before === null || after === null || after === before ? null : { before, after }
    },

    async plan(session, outline, detail) {
      const before = await capture(session)
      if (before === null) return null
      return await attempt(session, async (root) => {
        const moves = planFiles(outline, detail)
        const targets = fileTargets(
          await changes(session, root, moves.undone),
          await changes(session, root, moves.redone),
        )
        const after = await snapshots.combine(root, before, sourcesOf(targets))
        const [paths = []] = await snapshots.changed(root, [{ before, after }])
        return { before, after, paths }
      })
    },

    async restoreFiles(session, { before, after, paths }) {
      if (paths.length === 0) return true
      const restored = await attempt(session, async (root) => {
        await snapshots.restore(root, before, after)
        return true
      })
      return restored ?? false
    },
  }
}

/** What an operation notes of the files that it moves. */
export function filesNoted(
  plan: FilePlan | null,
): Pick<HistoryDetail, 'snapshotId' | 'previousSnapshotId' | 'fileCount'> {
  if (plan === null || plan.paths.length === 0) return {}
  return { snapshotId: plan.after, previousSnapshotId: plan.before, fileCount: plan.paths.length }
}

const NOTHING_KEPT: Workspace = {
  keeps: () => Promise.resolve(false),
  capture: () => Promise.resolve(null),
  spanSince: () => Promise.resolve(null),
  plan: () => Promise.resolve(null),
  restoreFiles: () => Promise.resolve(true),
}

async function spansOf(session: Session, events: readonly FileEvent[], store: Store): Promise<FileSpan[]> {
  const seqs = events.filter((event) => typeof event === 'number')
  const messages = seqs.length === 0 ? [] : await store.history.fileChangesAt(session.id, toRanges(seqs))
  // The changes in a branch's copies were made by its parent's runs, and the parent still depends on them.
  const own = messages.filter(({ createdAt }) => session.parentId === null || createdAt >= session.createdAt)
  const bySeq = new Map(own.map(({ seq, metadata }) => [seq, metadata.workspace]))
  return events.flatMap((event) => (typeof event === 'number' ? (bySeq.get(event) ?? []) : event))
}

function sourcesOf(targets: ReadonlyMap<string, string>): SnapshotSource[] {
  const byState = Map.groupBy(targets, ([, state]) => state)
  return [...byState].map(([state, entries]) => ({ state, paths: entries.map(([path]) => path) }))
}
