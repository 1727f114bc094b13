import type { PermissionRule } from '../domain/permission/permission.ts'
import { DEFAULT_AGENT_ID } from '../domain/session/session.ts'
import type { Agent } from '../run/agent.ts'
import { fixedTokens } from '../run/fit-prompt.ts'
import { BUILT_IN_TOOLS, SHELL_TOOLS } from '../tool/index.ts'
import { TOOL_SEARCH } from '../tool/mcp/tool-search.ts'
import { MEMORY_TOOLS } from '../tool/memory/memory-tools.ts'
import { recallTool } from '../tool/recall.ts'
import { createTaskTool, TASK_TOOL } from '../tool/task.ts'
import { webFetchTool } from '../tool/web-fetch.ts'
import { webSearchTool } from '../tool/web-search.ts'
import type { AgentView } from './service.ts'

/** Model calls that one run may make. */
const MAX_STEPS = 50

const ASSISTANT_PROMPT = `
You are the assistant of Palimpsest, a chat in which nothing is ever lost.
Answer in the language of the person you talk with. Be accurate, direct and complete; say so when you don't know.
Write Markdown: short paragraphs, lists where they help, fenced code with its language, tables for comparisons,
$…$ and $$…$$ for mathematics, mermaid for diagrams.
Use a tool when it finds out or does what you otherwise could only guess, and never invent its result.
`

const RULES: readonly PermissionRule[] = [
  { permission: 'read', pattern: '*', action: 'allow', source: 'manifest' },
]

const GENERAL_PROMPT = `
You are a subagent of Palimpsest: another agent has given you a piece of its work, and waits for the result.
Do all of it, and nothing else. You see none of the conversation behind it; what you need is in the message, or found with tools.
Your last text is the whole result, for an agent to go on with: what you did or found, with paths and figures, and what is open.
`

const EXPLORE_PROMPT = `
You are a subagent of Palimpsest that finds things out: another agent has asked you a question, and waits for the answer.
You read and search, and change nothing. Look where the answer most likely is first, and stop once you have it.
Your last text is the whole answer, for an agent to go on with: short, with the paths and lines that prove it, and what you did not find.
`

/** The tools of an agent that only reads. */
const READING: ReadonlySet<string> = new Set(['read', 'glob', 'grep', 'bash'])

export type AgentOverrides = Partial<Pick<Agent, 'tools' | 'rules' | 'maxSteps' | 'budget' | 'compaction'>>

/** The agents that a session may be opened with or started for, built in this one place. */
export function createAgents(
  overrides: AgentOverrides = {},
  { runsCommands = false, readsWeb = false, searchesWeb = false } = {},
): ReadonlyMap<string, Agent> {
  const built = [
    ...BUILT_IN_TOOLS,
    ...(runsCommands ? SHELL_TOOLS : []),
    ...(readsWeb ? [webFetchTool] : []),
    ...(searchesWeb ? [webSearchTool] : []),
    ...MEMORY_TOOLS,
    recallTool,
  ]
  const own = overrides.tools ?? built
  const common = { rules: RULES, maxSteps: MAX_STEPS, ...overrides }
  const explore: Agent = {
    ...common,
    id: 'explore',
    description: 'Finds out about files and code: reads and searches, and changes nothing.',
    mode: 'subagent',
    prompt: EXPLORE_PROMPT,
    tools: own.filter(({ id }) => READING.has(id)),
    readOnly: true,
  }
  const general = {
    ...common,
    id: 'general',
    description: 'Does a piece of work of several steps with all tools, within what this chat may do.',
    mode: 'subagent',
    prompt: GENERAL_PROMPT,
    mcp: true,
  } as const
  const task = createTaskTool([explore, general])
  const tools = overrides.tools ?? [...built, task]
  const assistant: Agent = {
    ...common,
    id: DEFAULT_AGENT_ID,
    description: 'Talks with a person and works with all tools.',
    mode: 'primary',
    prompt: ASSISTANT_PROMPT,
    tools,
    mcp: true,
  }
  return new Map([assistant, { ...general, tools }, explore].map((agent) => [agent.id, agent]))
}

/** An agent as clients see it. */
export function toAgentView({ id, description, mode, tools }: Agent): AgentView {
  return { id, description, mode, tools: tools.map((tool) => tool.id) }
}

/** Tools that some hosts have. */
const POSSIBLE_TOOLS = [...SHELL_TOOLS, ...MEMORY_TOOLS, recallTool, webFetchTool, webSearchTool]

/**
 * The ids that no tool of an MCP server gets: those of all tools that agents have of their own, or could have in another host, so
 * that what a host offers changes no id.
 */
export function reservedToolIds(agents: ReadonlyMap<string, Agent>): ReadonlySet<string> {
  const own = [...agents.values()].flatMap(({ tools }) => tools)
  return new Set([...own, ...BUILT_IN_TOOLS, ...POSSIBLE_TOOLS].map(({ id }) => id))
    .add(TASK_TOOL)
    .add(TOOL_SEARCH)
}

/** Tokens of an agent's own part of each request: its prompt and the tools that can act from the first step on. */
export function fixedTokensOf(
  agents: ReadonlyMap<string, Agent>,
  agentId: string,
  providerId: string,
): number {
  const agent = agents.get(agentId) ?? agents.get(DEFAULT_AGENT_ID)
  if (agent === undefined) return 0
  const tools = agent.tools.filter(({ canAct }) => canAct === undefined)
  return fixedTokens(agent.prompt, tools, providerId)
}
