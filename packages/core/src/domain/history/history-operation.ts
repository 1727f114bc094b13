import type { ModelRef } from '../model/model.ts'
import type { SeqRange } from '../values/seq-ranges.ts'

export type HistoryKind =
  | 'rewind'
  | 'unrewind'
  | 'compaction'
  | 'uncompaction'
  | 'prune'
  | 'unprune'
  /** The model sees a condensed output whole again, or its condensed form again. */
  | 'uncondense'
  | 'recondense'
  /** The model no longer sees a message that stays in the thread, or sees it again. */
  | 'leaveout'
  | 'bringback'
  /** It took changes of files back. */
  | 'revert'
  | 'branch'
  | 'switch'

/** A row of `history_ops`: an operation on a session's history, with all that its undo needs. */
export type HistoryOperation = {
  id: string
  sessionId: string
  kind: HistoryKind
  detail: HistoryDetail
  createdAt: number
}

export type HistoryDetail = {
  /** The last message's place when it happened. */
  lastSeq: number
  /** The messages that it hid and those that it showed again. */
  hidden: SeqRange[]
  shown: SeqRange[]
  /** The message that was rewound to, branched from, or whose call's output changed its visibility. */
  targetMessageId?: string
  toolCallId?: string
  /** The user message that an edited one replaced. */
  replacedMessageId?: string
  /** The operation that this one undoes. */
  undoes?: string
  /** The restore point that it returned to: an operation, or a user message that had been sent after it. */
  pointId?: string
  /** A compaction's summary, and the first message that it left as it was. */
  summaryMessageId?: string
  summarySeq?: number
  tailStartId?: string
  auto?: boolean
  /** Its tail took too much and was cut to one turn; that turn still did, and lost the outputs named by `partIds`. */
  shortened?: true
  split?: true
  /** Tokens that the window held before and after. */
  beforeTokens?: number
  afterTokens?: number
  /** Tokens that the summariser took, apart from the conversation's. */
  summaryTokens?: number
  /** Messages that the model no longer sees though they are visible, and those that it sees again. */
  leftOut?: string[]
  broughtBack?: string[]
  /** Parts whose output was pruned or restored. */
  partIds?: string[]
  /** The models that a switch led from and to. */
  fromModel?: ModelRef
  toModel?: ModelRef
  /** The session that a branch made. */
  branchId?: string
  /** The operation whose changes of files it took back, and no messages. */
  reverted?: string
  /** Snapshots of earlier releases: the files after and before it, when it restored some. */
  snapshotId?: string
  previousSnapshotId?: string
  /** How many files it restored. */
  fileCount?: number
}
