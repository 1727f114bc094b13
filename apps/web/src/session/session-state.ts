import type {
  BudgetUse,
  ChatChunk,
  ChatMessage,
  ContextWindow,
  Session,
  SessionEvent,
  SessionStatus,
  SessionUsage,
  SessionView,
} from '@palimpsest/core/domain'
import { IDLE } from '@palimpsest/core/domain'
import type { TimelineEntry } from '@palimpsest/ui'
import { type Asks, NO_ASKS } from './asks.ts'
import { type Compaction, NO_COMPACTION } from './compaction.ts'
import type { LiveRun } from './live-run.ts'
import type { FailedState, Outgoing } from './outgoing.ts'

/** Whether the page has what it shows. `failed` says why in words for a person. */
export type Phase = 'loading' | 'ready' | 'missing' | { failed: string }

/** Everything that the page of one session shows; the result of `reduceSession` over its actions and nothing else. */
export type SessionState = {
  readonly sessionId: string
  readonly phase: Phase
  readonly session: Session | null
  /** Whether a rewind restores files; false until it is known. */
  readonly keepsFiles: boolean
  readonly status: SessionStatus
  readonly usage: SessionUsage | null
  readonly contextWindow: ContextWindow | null
  /** Characters that the live message had when the context window was last counted. */
  readonly countedCharacters: number
  /** Stored messages in order, hidden ones at their place, from the oldest page that was loaded. */
  readonly messages: readonly ChatMessage[]
  /** What was done to the history, the latest first. */
  readonly timeline: readonly TimelineEntry[]
  /** The last thing that is known to have been done to the history; `timeline` may still lack it. */
  readonly historyMark: string | null
  readonly compaction: Compaction
  readonly older: OlderPages
  readonly queue: readonly ChatMessage[]
  readonly asks: Asks
  /** The limit that was nearly reached last. */
  readonly budgetNear: BudgetUse | null
  readonly live: LiveRun | null
  readonly outgoing: readonly Outgoing[]
  /** Events that arrived since the fetch under way began; null while none is. */
  readonly sinceFetch: readonly SessionEvent[] | null
  /** Events of messages since an older page was requested, which may have been read before them. */
  readonly sinceOlder: readonly SessionEvent[]
}

/** `cursor` leads to the page before the oldest loaded one; null when there is none. */
export type OlderPages = { readonly cursor: string | null; readonly state: 'idle' | 'loading' | 'failed' }

export type Page = { items: ChatMessage[]; nextCursor: string | null }

/** The state of the server at one moment of its answer. */
export type Snapshot = {
  view: SessionView
  page: Page
  queue: ChatMessage[]
  asks: Asks
  timeline: TimelineEntry[]
}

export type SessionAction =
  | { type: 'fetch-started' }
  | { type: 'fetched'; snapshot: Snapshot }
  | { type: 'fetch-failed'; missing: boolean; message: string }
  | { type: 'event'; event: SessionEvent }
  | { type: 'chunks'; runId: string; chunks: readonly ChatChunk[] }
  | { type: 'timeline-fetched'; timeline: TimelineEntry[] }
  | { type: 'compaction-dismissed' }
  | { type: 'older-started' }
  | { type: 'older-fetched'; cursor: string; page: Page }
  | { type: 'older-failed'; cursor: string }
  | { type: 'outgoing-added'; outgoing: Outgoing }
  | { type: 'outgoing-sent'; messageId: string }
  | { type: 'outgoing-failed'; messageId: string; state: FailedState }
  | { type: 'outgoing-dropped'; messageId: string }

/** The state before anything is known; `ready` is for a session that does not exist yet. */
export function initialSessionState(
  sessionId: string,
  phase: Phase,
  outgoing: readonly Outgoing[] = [],
): SessionState {
  return {
    sessionId,
    phase,
    session: null,
    keepsFiles: false,
    status: IDLE,
    usage: null,
    contextWindow: null,
    countedCharacters: 0,
    messages: [],
    timeline: [],
    historyMark: null,
    compaction: NO_COMPACTION,
    older: { cursor: null, state: 'idle' },
    queue: [],
    asks: NO_ASKS,
    budgetNear: null,
    live: null,
    outgoing,
    sinceFetch: null,
    sinceOlder: [],
  }
}
