import type { ModelRef } from '../domain/model.ts'
import type { Session } from '../domain/session.ts'
import type { LiveWriter, RunTrigger } from '../ports/index.ts'
import type { Agent } from '../run/agent.ts'
import type { Background } from './background.ts'
import type { Condenser } from './history/condenser.ts'
import type { HistoryPorts } from './history/perform.ts'
import type { RewindTarget } from './history/rewinding.ts'
import type { RunFiles } from './history/run-files.ts'

export type TurnStart = {
  /** As it stood when the turn was asked for. */
  session: Session
  runId: string
  trigger: RunTrigger
  /**
   * The rewind that makes room for it, planned once the session is claimed; null for the one that an earlier rewind makes
   * necessary. Without it the conversation goes on as it stands.
   */
  rewind?: RewindTarget | null
  /** The model of the reply, unless the message that starts it names one. */
  model: ModelRef
  agent: Agent
  continues?: boolean
}

export type Turns = {
  /**
   * Claims the session, persists what starts the run, and runs it; resolves once it is persisted. Fails as
   * `RunStore.begin` does, and with `SESSION_BUSY` once the host stops. Null when the queue was asked for and is empty.
   */
  start(turn: TurnStart): Promise<FiredRun | null>
  /**
   * Fires the queued message named, or the earliest one, unless the session is busy or nothing waits. On a host that stops,
   * the next one goes on with the queue when it starts.
   */
  drain(sessionId: string, messageId?: string): Promise<FiredRun | null>
  /** Fires the earliest queued message unless a failure has paused the queue. */
  goOn(sessionId: string): Promise<FiredRun | null>
}

/** The message that a run writes, where it is streamed, the files that it works on and how those stand. */
export type TurnReply = {
  messageId: string
  live: LiveWriter
  files: RunFiles
  gitStatus(): Promise<string | null>
}

/** A run that has begun; with the message that started it, unless it goes on from the conversation as it stood. */
export type FiredRun = { runId: string; messageId: string | null }

export type TurnPorts = HistoryPorts & {
  background: Background
  condenser: Condenser
  agents: ReadonlyMap<string, Agent>
  agentOf(id: string | undefined): Agent
}
