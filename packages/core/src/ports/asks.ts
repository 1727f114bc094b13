import type { Ask, AskReply } from '../domain/permission/ask.ts'

/** What runs ask of persons, and the ends of subagents that they wait for. An ask gets exactly one reply; the end of its run cancels those that are open. */
export interface AskStore {
  get(askId: string): Promise<Ask | null>
  /** The open asks of a session and of the subagents whose root it is, or of all, the oldest first. */
  open(sessionId: string | null): Promise<Ask[]>
  /** All asks of a run, with their replies, the oldest first. */
  ofRun(runId: string): Promise<Ask[]>
  /**
   * Stores the reply and returns the ask with it. `INVALID_INPUT` for an unknown ask, and `CONFLICT` when it has a reply.
   */
  reply(askId: string, reply: AskReply, at: number): Promise<Ask>
}
