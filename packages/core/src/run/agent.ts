import type { BudgetLimits } from '../domain/model/budget.ts'
import type { ModelRef } from '../domain/model/model.ts'
import type { PermissionRule } from '../domain/permission/permission.ts'
import type { Session } from '../domain/session/session.ts'
import type { CompactionSettings } from '../history/plan/compaction-config.ts'
import type { Tool } from '../tool/tool.ts'

/** Whether chats are opened with an agent, subagents are, or both. */
export type AgentMode = 'primary' | 'subagent' | 'all'

/** An agent: its instructions, its tools, and its limit of steps. */
export type Agent = {
  id: string
  /** What it is for, in a sentence; a model reads it to choose a subagent. */
  description: string
  mode: AgentMode
  /** The manifest: first section of the system prompt. */
  prompt: string
  tools: readonly Tool[]
  /** It also has the tools of the host's MCP servers. */
  mcp?: true
  /** What its tools may do without asking, and what they may not do at all. */
  rules: readonly PermissionRule[]
  /** It changes no files and runs only commands that read, whatever rules and mode allow. */
  readOnly?: true
  /** The model that its sessions begin with; the host's default without one. */
  model?: ModelRef
  /** Model calls of one run at most. */
  maxSteps: number
  /** Limits of its runs and sessions, over the host's. */
  budget?: BudgetLimits
  /** Compaction settings of its sessions, over the host's. */
  compaction?: CompactionSettings
}

/** Agents by their ids, for a session in this folder. */
export type AgentLookup = {
  agentOf(id: string | undefined, session: Pick<Session, 'workspaceRoot'>): Promise<Agent>
  /** Those that may be started as subagents. `root`: the session's folder, where it is resolved already. */
  subagentsIn(
    session: Pick<Session, 'workspaceRoot'>,
    root?: Promise<string | null>,
  ): Promise<readonly Agent[]>
}
