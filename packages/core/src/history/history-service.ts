import type { ContextWindow } from '../domain/context-window.ts'
import type { HistoryOperation } from '../domain/history-operation.ts'
import type { JsonObject } from '../domain/json.ts'
import type { ModelRef } from '../domain/model.ts'
import type { Session } from '../domain/session.ts'
import type { MessageVersion, MessageVersions } from './versions/versions-of.ts'

/** What an operation hid and showed, counted in messages. */
export type HistoryResult = { operationId: string; hidden: number; restored: number }

/**
 * `files` counts the files of the workspace that the operation restored; absent without a snapshot layer, when every
 * file stays as it was. `failed`: the operation was applied, but not all of the files could be restored.
 */
export type RewindResult = HistoryResult & { files?: { count: number; failed?: true } }

/** A session in the lineage of another; `children` in order of creation. */
export type LineageNode = {
  session: Session
  /** The message of the parent that it begins after; null for a root. */
  forkMessageId: string | null
  children: LineageNode[]
}

/**
 * The whole tree from its root, and the ids around `current`, the requested session: `ancestors`
 * lead from the root to its parent; `siblings` are its parent's other branches, `children` its own, in order of creation.
 */
export type Lineage = {
  root: LineageNode
  current: string
  ancestors: string[]
  siblings: string[]
  children: string[]
}

/** Whether the next message would fit this model: as it is, after a compaction, or not at all. */
export type ModelFit =
  | { outcome: 'fits'; window: ContextWindow }
  | { outcome: 'compacts'; window: ContextWindow }
  | { outcome: 'too-small'; window: ContextWindow }

/** A call of a tool whose output was condensed, in a reply. */
export type CondensedCall = { sessionId: string; messageId: string; toolCallId: string }

/** `tokens` is the absolute change of the window. */
export type OutputVisibilityResult = { operationId: string | null; tokens: number }

/** Why the history was changed at a point. */
export type RestoreReason =
  | 'edit'
  | 'regenerate'
  | 'rewind'
  | 'restore'
  | 'version'
  | 'summary'
  | 'summary-undone'

/**
 * The state before a change of the history. `label` names it in English; `messages` counts what was visible, without
 * summaries; `tokens` are those of its window, null when they were not counted.
 */
export type RestorePoint = {
  pointId: string
  reason: RestoreReason
  label: string
  at: number
  messages: number
  tokens: number | null
}

/** A step on the timeline, with what it hid, and whether it can be taken back now. */
export type TimelineEntry = HistoryOperation & { hiddenCount: number; shownCount: number; canUndo: boolean }

/**
 * The operations on a session's history. None deletes anything, each can be undone, and all of them are
 * refused with `SESSION_BUSY` while a run is on.
 */
export interface HistoryService {
  /** To a user message, hidden ones included: what comes after it is hidden. `preview` only counts. */
  rewind(input: { sessionId: string; messageId: string; preview?: boolean }): Promise<RewindResult>
  /** Takes the last rewind or un-rewind back, or the one named. `CONFLICT` when there is none. */
  unrewind(input: { sessionId: string; operationId?: string }): Promise<RewindResult>
  /**
   * The messages that were written at this one's place: edits of a question, replies to the same question. `operationId`
   * names the state in which a version was last shown, and is null for the visible one.
   */
  versions(input: { sessionId: string; messageId: string }): Promise<{
    versions: (MessageVersion & { label: string; at: number })[]
    current: number
  }>
  /** The versions of every visible message that has several. */
  threadVersions(sessionId: string): Promise<MessageVersions[]>
  /** Shows the state in which a version was last shown, by one operation; asks no model. `INVALID_INPUT` for another state. */
  switchVersion(input: { sessionId: string; messageId: string; operationId: string }): Promise<RewindResult>
  /** The states that can be returned to, the latest first. */
  restorePoints(sessionId: string): Promise<RestorePoint[]>
  /** Makes visible exactly what was visible at that point, by one operation, before which is a point too. */
  restoreTo(input: { sessionId: string; pointId: string }): Promise<RewindResult>
  /** A new session that holds everything visible up to and including the message. */
  branch(input: {
    sessionId: string
    fromMessageId: string
    metadata?: JsonObject
    model?: ModelRef
  }): Promise<Session>
  tree(sessionId: string): Promise<Lineage>
  /** Summarises all but the tail. `CONFLICT` on the first turn, `COMPACTION_FAILED` when it gained nothing. */
  compact(sessionId: string): Promise<HistoryResult & { beforeTokens: number; afterTokens: number }>
  /** Takes the compaction back whose summary is visible. */
  uncompact(sessionId: string): Promise<HistoryResult>
  /** Replaces large old tool outputs by stubs in what the model sees; the outputs stay. */
  prune(sessionId: string): Promise<{ operationId: string | null; parts: number; tokens: number }>
  unprune(sessionId: string): Promise<{ operationId: string | null; parts: number; tokens: number }>
  /**
   * Makes the model see an output whole again that was condensed. The condensed form is kept, and `recondense` makes the
   * model see it again; neither asks any model. `operationId` is null when it is so already. `INVALID_INPUT` for an output
   * that was never condensed. Of one that is pruned as well the model still sees the stub.
   */
  uncondense(output: CondensedCall): Promise<OutputVisibilityResult>
  recondense(output: CondensedCall): Promise<OutputVisibilityResult>
  /** Keeps a sidecar: it becomes an ordinary branch. */
  keep(sessionId: string): Promise<Session>
  fit(input: { sessionId: string; model: ModelRef }): Promise<ModelFit>
  /** Every operation of the session, the latest first. */
  timeline(sessionId: string): Promise<TimelineEntry[]>
  /** JSON lines, or one JSON array. */
  export(input: { sessionId: string; format?: 'jsonl' | 'json' }): AsyncIterable<string>
  import(data: AsyncIterable<string> | Iterable<string>): Promise<Session>
}
