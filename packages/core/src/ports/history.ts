import type { ExportRowType } from '../domain/export/export-rows.ts'
import type { BlobRow } from '../domain/files/blob.ts'
import type { HistoryOperation } from '../domain/history/history-operation.ts'
import type { Outline } from '../domain/history/outline.ts'
import type { CondensedOutputs } from '../domain/message/condensed-output.ts'
import type { StoredMessage } from '../domain/message/message.ts'
import type { Session } from '../domain/session/session.ts'
import type { SeqRange } from '../domain/values/seq-ranges.ts'
import type { NewFileChange } from '../domain/workspace/file-journal.ts'
import type { NewMessage, NewSession } from './new-rows.ts'
import type { RunEpoch } from './run-lease.ts'

/** An operation on a session's history, with everything that it changes. */
export type HistoryChange = {
  operation: HistoryOperation
  /** A compaction's summary. It takes the next `seq`, which is `operation.detail.summarySeq`. */
  insert: NewMessage | null
  /** Ids of the parts whose output the model no longer sees, and of those whose output it sees again. */
  prune: string[]
  unprune: string[]
  /** Condensed forms that the model no longer sees in their outputs' places, or sees there again. */
  forms?: readonly FormUse[]
  /** What it is going to do with files: rows that are stored with it. */
  files?: readonly NewFileChange[]
  /** Tokens of the window after the change, and whether any of them are estimated. */
  contextTokens: number
  contextEstimated: boolean
}

/** Whether the model sees the condensed form of a call's output in the output's place. */
export type FormUse = { messageId: string; toolCallId: string; used: boolean }

export type BranchCopy = {
  session: NewSession
  /** Places in the parent, in the order in which the branch holds them, from `seq` 1. */
  seqs: number[]
  contextTokens: number
  contextEstimated: boolean
  /** The row of the parent that notes the branch. */
  operation: HistoryOperation
}

/** Condensed forms for a message's outputs, and the tokens of its session's window with them. */
export type CondensedChange = {
  sessionId: string
  messageId: string
  condensed: CondensedOutputs
  contextTokens: number
  contextEstimated: boolean
  at: number
}

/** One row of an export: a line of JSON. Keys and values are the storage's own (snake_case). */
export type ExportLine = {
  type: ExportRowType
  data: Record<string, unknown>
  /** Of the session, which is the first: how many rows there are in all. */
  rows?: number
  /** Of the session, in an export with files: how many come after the rows. */
  blobs?: number
  /** Of the session, in an archive: when it was moved to the bin, in epoch milliseconds. */
  deleted_at?: number
}

/** A session as it was when its export was opened. */
export interface SessionExport extends Disposable {
  /** The rows of `exportRows`, each time from the first; that of a session in the bin has `deleted_at`. */
  rows(): AsyncIterable<ExportLine>
  /** The blobs that its messages name. */
  readonly blobs: readonly BlobRow[]
}

/** A session and its parent, in or out of the bin. */
export type SessionLink = { id: string; parentId: string | null }

/** A line of an import, with its number in the file, which errors name. */
export type ImportLine = ExportLine & { number: number }

/** The operations of session histories, and outlines without message bodies. Every method is atomic. */
export interface HistoryStore {
  outline(sessionId: string): Promise<Outline>
  /**
   * Hides `detail.hidden`, shows `detail.shown`, marks `detail.leftOut` as left out of what the model sees and
   * `detail.broughtBack` as no longer so, and notes the operation, all or nothing; the session's revision grows.
   * `SESSION_BUSY` when the session is claimed, unless by `run`; `SESSION_NOT_RUNNING` when `run` does not hold the claim in
   * its epoch; `CONFLICT` when the history has grown since `lastSeq`.
   * Rows that are hidden are marked with the operation's id. `MESSAGE_NOT_FOUND` when one of `forms`, or one that is left out
   * or brought back, is not there.
   */
  apply(change: HistoryChange, run?: RunEpoch): Promise<Session>
  /**
   * A new session of copies: new ids, parts and metadata verbatim, usage summed from the copies. `SESSION_BUSY` when the
   * parent is claimed, `CONFLICT` when a place of `seqs` holds no message. Memory does not grow with the number of messages.
   */
  branch(copy: BranchCopy): Promise<Session>
  /**
   * Adds condensed forms to a message's metadata; what is there under the same ids stays. `SESSION_BUSY` when the session
   * is claimed, `MESSAGE_NOT_FOUND` as it reads.
   */
  keepCondensed(change: CondensedChange): Promise<Session>
  /** The messages at these places with their parts, in order. */
  messagesAt(sessionId: string, ranges: readonly SeqRange[]): Promise<StoredMessage[]>
  /** Those of them whose metadata has a `workspace`; the others cost next to nothing. */
  fileChangesAt(sessionId: string, ranges: readonly SeqRange[]): Promise<StoredMessage[]>
  /**
   * The rewind or un-rewind that is undone next: the latest that still hides something, or the last one where it is a
   * rewind that has only shown something and no message has come after it. Null when there is none; costs the same in a
   * session of any length.
   */
  lastRewind(sessionId: string): Promise<HistoryOperation | null>
  /** The session's root and everything that descends from it, in order of creation. */
  family(sessionId: string): Promise<Session[]>
  /** The session's rows: itself, its messages by `seq`, their parts by index, operations, system prompts. */
  exportRows(sessionId: string): AsyncIterable<ExportLine>
  /** The same of any session, in the bin too, to be read several times. It must be disposed. `SESSION_NOT_FOUND`. */
  openExport(sessionId: string): Promise<SessionExport>
  /** Up to 1,000 sessions whose ids follow `after`, in the order of their ids; in the bin too. */
  links(after: string | null): Promise<SessionLink[]>
  /**
   * Writes exported rows in one transaction, under the same ids when none is taken and under new ones otherwise (with
   * references between them kept). Every line is read before anything is written; a bad one is `INVALID_INPUT` that names it.
   * A session that gets a new id gets `copyId`, when it is given and free. One whose row has `deleted_at` comes into the bin.
   */
  importRows(lines: AsyncIterable<ImportLine>, options?: { copyId?: string }): Promise<Session>
}
