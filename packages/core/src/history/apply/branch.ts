import { AppError } from '../../domain/errors.ts'
import type { Outline } from '../../domain/history/outline.ts'
import { createId } from '../../domain/ids.ts'
import { ancestorsOf, type Session } from '../../domain/session/session.ts'
import { checkMetadata, checkModel } from '../check-input.ts'
import type { HistoryService, Lineage, LineageNode } from '../history-service.ts'
import { isInsideReply, viewAt } from '../plan/view.ts'
import { measureWindow } from '../read/measure-window.ts'
import { type HistoryPorts, withExclusiveClaim } from './perform.ts'

/** Making branches and finding one's way among them. */
export function createBranching(
  ports: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
): Pick<HistoryService, 'branch' | 'tree' | 'keep'> {
  const { store, events, models, clock } = ports

  return {
    async branch({ sessionId, fromMessageId, metadata, model }) {
      if (metadata !== undefined) checkMetadata(metadata)
      if (model !== undefined) await checkModel(model, models)
      const parent = await requireSession(sessionId)
      return await withExclusiveClaim(ports, sessionId, async (operationId) => {
        const outline = await store.history.outline(sessionId)
        const seqs = planBranch(outline, fromMessageId)
        const subject = { ...parent, model: model ?? parent.model }
        const measure = await measureWindow(subject, outline, new Set(seqs), ports)
        const branchId = createId('ses')
        const detail = {
          lastSeq: lastSeq(outline),
          hidden: [],
          shown: [],
          targetMessageId: fromMessageId,
          branchId,
        }
        const at = clock.now()
        const branch = await store.history.branch({
          session: {
            id: branchId,
            title: parent.title,
            agent: parent.agent,
            workspaceRoot: parent.workspaceRoot,
            model: model ?? parent.model,
            parentId: sessionId,
            parentMessageId: fromMessageId,
            metadata: { ...inherited(parent, outline), ...metadata },
            at,
          },
          seqs,
          ...measure,
          operation: { id: operationId, sessionId, kind: 'branch', detail, createdAt: at },
        })
        events.publish({ type: 'session-created', sessionId: branch.id, session: branch })
        events.publish({ type: 'branch', sessionId, branch })
        return branch
      })
    },

    async tree(sessionId) {
      await requireSession(sessionId)
      const family = await store.history.family(sessionId)
      return lineageOf(withoutSubagents(family, sessionId), sessionId)
    },

    async keep(sessionId) {
      const session = await requireSession(sessionId)
      if (session.metadata.ephemeral !== true) throw new AppError('CONFLICT', 'The session is kept already.')
      const { ephemeral: _, ...metadata } = session.metadata
      const kept = await store.sessions.setMetadata(sessionId, metadata, clock.now())
      events.publish({ type: 'session-changed', sessionId, session: kept })
      return kept
    },
  }
}

/**
 * What a branch takes over of its parent's metadata; only who asks for a sidecar gets one, and a subagent's branch is no subagent. Its title is its parent's
 * until its first own message.
 */
function inherited({ metadata }: Session, { operations }: Outline): Session['metadata'] {
  const { ephemeral: _, subagent: __, ...kept } = metadata
  const pruned = operations.some(({ detail }) => detail.partIds !== undefined || detail.leftOut !== undefined)
  return { ...kept, titledBy: 'parent', ...(pruned && { prunedCopies: true }) }
}

function lastSeq({ entries }: Outline): number {
  return entries.at(-1)?.seq ?? 0
}

/** A tree is one of chats: subagents are left out, but for the one that is looked at and those above it. */
function withoutSubagents(family: readonly Session[], sessionId: string): Session[] {
  const looked = family.find(({ id }) => id === sessionId)
  const kept = new Set([sessionId, ...(looked === undefined ? [] : ancestorsOf(looked))])
  return family.filter(({ id, metadata }) => metadata.subagent === undefined || kept.has(id))
}

/** The tree that a family makes, and the way from its root to one of its sessions. */
function lineageOf(family: readonly Session[], sessionId: string): Lineage {
  const byId = new Map(family.map((session) => [session.id, session]))
  const ancestors: string[] = []
  for (
    let id = byId.get(sessionId)?.parentId;
    id !== null && id !== undefined && byId.has(id);
    id = byId.get(id)?.parentId
  ) {
    ancestors.unshift(id)
  }
  const rootId = ancestors[0] ?? sessionId
  const root = byId.get(rootId)
  if (root === undefined)
    throw new AppError('SESSION_NOT_FOUND', 'There is no such session.', { field: 'sessionId' })
  const childrenOf = (id: string) => family.filter(({ parentId }) => parentId === id).map((child) => child.id)
  return {
    // Its parent may be in the bin.
    root: { ...treeOf(root, family), forkMessageId: null },
    current: sessionId,
    ancestors,
    siblings: childrenOf(ancestors.at(-1) ?? '').filter((id) => id !== sessionId),
    children: childrenOf(sessionId),
  }
}

/** Levels of a tree; what is deeper comes as leaves of the last one, in order of levels: JSON of any depth can't be written. */
const TREE_LEVELS = 200

function treeOf(root: Session, family: readonly Session[]): LineageNode {
  const byParent = Map.groupBy(family, ({ parentId }) => parentId)
  const childrenOf = ({ id }: Session) => (byParent.get(id) ?? []).filter((child) => child.id !== id)
  const node = (session: Session, children: LineageNode[]): LineageNode => ({
    session,
    forkMessageId: session.parentMessageId,
    children,
  })

  function below(session: Session): Session[] {
    const found = childrenOf(session)
    // The list grows while it is read.
    for (const one of found) found.push(...childrenOf(one))
    return found
  }

  function nodeOf(session: Session, level: number): LineageNode {
    const isLast = level === TREE_LEVELS
    const children = isLast
      ? below(session).map((one) => node(one, []))
      : childrenOf(session).map((one) => nodeOf(one, level + 1))
    return node(session, children)
  }
  return nodeOf(root, 1)
}

/** Places of the messages that a branch from `messageId` copies, in the order in which it holds them: summary first. */
export function planBranch(outline: Outline, messageId: string): number[] {
  const target = outline.entries.find(({ id }) => id === messageId)
  if (target === undefined) {
    throw new AppError('MESSAGE_NOT_FOUND', 'There is no such message in this session.', {
      field: 'fromMessageId',
    })
  }
  if (isInsideReply(outline, target)) {
    throw new AppError('INVALID_INPUT', 'This message steered a reply and is part of it.', {
      field: 'fromMessageId',
    })
  }
  const path = viewAt(outline, target)
  const copied = outline.entries.filter(({ seq }) => path.has(seq))
  return [
    ...copied.filter(({ compactionId }) => compactionId !== null),
    ...copied.filter(({ compactionId }) => compactionId === null),
  ].map(({ seq }) => seq)
}
