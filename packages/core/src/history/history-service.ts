import type { HistoryOperation } from '../domain/history/history-operation.ts'
import type { JsonObject } from '../domain/json/json.ts'
import type { ChatMessage } from '../domain/message/message.ts'
import type { ModelRef } from '../domain/model/model.ts'
import type { Session } from '../domain/session/session.ts'
import type { ContextWindow } from '../domain/window/context-window.ts'
import type { FileChoices, FileFate } from '../domain/workspace/file-journal.ts'
import type { Page } from '../ports/index.ts'
import type { MessageVersion, MessageVersions } from './plan/versions-of.ts'

/** What an operation hid and showed, counted in messages: a summary is none. */
export type HistoryResult = { operationId: string; hidden: number; restored: number }

/**
 * `files` counts the files of the workspace that the operation restored; absent without a snapshot layer, when every
 * file stays as it was. `failed`: the operation was applied, but not all of the files could be restored.
 */
export type RewindResult = HistoryResult & { files?: RewoundFiles }

/** `count` counts the restored ones; `fates` names these and all others that the operation concerns, at most 1,000. */
export type RewoundFiles = { count: number; failed?: true; fates: FileFate[] }

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

/** `tokens` is the absolute change of the window; `operationId` is null when it is so already. */
export type MessageVisibilityResult = { operationId: string | null; tokens: number }

/**
 * What happened next at a point: a message was sent, the history was changed, tool results were dropped or taken in again, or
 * a condensed one was used in full or in its condensed form.
 */
export const RESTORE_REASONS = [
  'message',
  'edit',
  'regenerate',
  'rewind',
  'restore',
  'version',
  'summary',
  'summary-undone',
  'results-dropped',
  'results-restored',
  'result-whole',
  'result-condensed',
  'leave-out',
  'bring-back',
  'branch',
] as const
export type RestoreReason = (typeof RESTORE_REASONS)[number]

/**
 * A state in which the person sent something or changed the history. `pointId` is the id of that operation or message, and
 * `at` its time. `label` names the state in English, with the server's time of the day; `messageId` is the message that was
 * sent, replaced, gone back to or branched from. `messages` counts what was visible, without summaries; `tokens` are those
 * of its window, null for points far back of which no count is stored.
 */
export type RestorePoint = {
  pointId: string
  reason: RestoreReason
  label: string
  messageId: string | null
  at: number
  messages: number
  tokens: number | null
}

/** A page of the messages of a restore point; `messages` counts all of them, without summaries. */
export type PointPage = Page<ChatMessage> & { messages: number; contextWindow: ContextWindow | null }

/**
 * A step on the timeline, and whether it can be taken back now. It hid `hiddenCount` messages and showed `shownCount`; a
 * return to the state before it shows `restoresCount` that are hidden now. Summaries count as none. `covers` names the first and
 * the last message of each stretch that a compaction's summary replaces.
 */
export type TimelineEntry = HistoryOperation & {
  hiddenCount: number
  shownCount: number
  restoresCount: number
  canUndo: boolean
  covers?: [from: string, to: string][]
}

/**
 * The operations on a session's history. None deletes anything, each can be undone, and all of them are
 * refused with `SESSION_BUSY` while a run is on.
 */
export interface HistoryService {
  /**
   * To a user message, hidden ones included: what comes after it is hidden. `preview` only counts. `files`: what to do with files that
   * somebody else has changed since; those that it does not name stay.
   */
  rewind(input: {
    sessionId: string
    messageId: string
    preview?: boolean
    files?: FileChoices
  }): Promise<RewindResult>
  /** Takes the last rewind or un-rewind back, or the one named. `CONFLICT` when there is none. */
  unrewind(input: { sessionId: string; operationId?: string; files?: FileChoices }): Promise<RewindResult>
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
  switchVersion(input: {
    sessionId: string
    messageId: string
    operationId: string
    files?: FileChoices
  }): Promise<RewindResult>
  /** The latest `limit` points (2,000 by default and at most), or those before the point `before`; the latest first. */
  restorePoints(input: { sessionId: string; limit?: number; before?: string }): Promise<RestorePoint[]>
  /**
   * The messages of a point as they were visible then, in pages like those of `messages`, a summary before all others; changes nothing. `messages` counts
   * them without summaries; `contextWindow` is that of the point, on the first page. `INVALID_INPUT` for a point that is none.
   */
  preview(input: { sessionId: string; pointId: string; limit?: number; cursor?: string }): Promise<PointPage>
  /**
   * Makes visible exactly what was visible at that point, by one operation, before which is a point too. The model sees
   * every output as it did then. `preview` only counts.
   */
  restoreTo(input: {
    sessionId: string
    pointId: string
    preview?: boolean
    files?: FileChoices
  }): Promise<RewindResult>
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
  /**
   * The model no longer sees a visible message, which stays in the thread, and sees it again. `INVALID_INPUT` for a hidden
   * message and for a summary.
   */
  leaveOut(input: { sessionId: string; messageId: string }): Promise<MessageVisibilityResult>
  bringBack(input: { sessionId: string; messageId: string }): Promise<MessageVisibilityResult>
  /** Keeps a sidecar: it becomes an ordinary branch. */
  keep(sessionId: string): Promise<Session>
  fit(input: { sessionId: string; model: ModelRef }): Promise<ModelFit>
  /** Every operation of the session, the latest first. */
  timeline(sessionId: string): Promise<TimelineEntry[]>
  /** JSON lines, or one JSON array; with `files` the blobs that its messages name come after the rows. */
  export(input: { sessionId: string; format?: 'jsonl' | 'json'; files?: boolean }): AsyncIterable<string>
  import(data: AsyncIterable<string> | Iterable<string>): Promise<Session>
}
