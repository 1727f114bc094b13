import type { ChatChunk } from '../domain/message/message.ts'
import type { Ask, AskKind, TaskEnd, TaskRequest } from '../domain/permission/ask.ts'
import type { Session } from '../domain/session/session.ts'
import type { RunEnd } from './run-outcome.ts'
import type { RunState } from './run-state.ts'

/** The runs that runs start, each in a session of its own. */
export type Subagents = {
  /** Starts the subagent that an ask waits for. A failure to start is its end. */
  start(run: RunState, ask: Ask): Promise<void>
  /** Starts a subagent that nothing waits for; returns the result of its call. */
  startInBackground(run: RunState, toolCallId: string, task: TaskRequest): Promise<ChatChunk>
  /**
   * Before a run that was aborted or has failed settles: aborts the subagents that it waits for, and for an abort all others of its
   * session, at any depth. Resolves once they have settled; their calls read `aborted by parent`.
   */
  end(run: RunState, outcome: RunEnd): Promise<void>
  /** A run has begun to wait; where it waits for subagents, they may have ended before. */
  waits(sessionId: string, on: AskKind): void
  /**
   * The run of a session has ended: results of its own subagents can land in its history, and where it is one, its end is reported
   * to the run that waits for it, or to the history of its parent.
   */
  ended(session: Session, end: TaskEnd): void
  /** Aborts all subagents of a session, at any depth; resolves once they have settled, with whether there were any. */
  stopAll(sessionId: string): Promise<boolean>
  /** Puts the results of subagents in the background into the history of a session that is idle, or of all. */
  deliver(parentId: string | null): Promise<void>
}
