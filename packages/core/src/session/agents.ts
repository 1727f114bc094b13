import type { PermissionRule } from '../domain/permission.ts'
import { DEFAULT_AGENT_ID } from '../domain/session.ts'
import type { Agent } from '../run/agent.ts'
import { BUILT_IN_TOOLS, SHELL_TOOLS } from '../tool/index.ts'
import { MEMORY_TOOLS } from '../tool/memory/memory-tools.ts'
import { recallTool } from '../tool/recall.ts'
import { webFetchTool } from '../tool/web-fetch.ts'
import { webSearchTool } from '../tool/web-search.ts'

/** Model calls that one run may make. */
const MAX_STEPS = 50

const ASSISTANT_PROMPT = `
You are the assistant of Palimpsest, a chat in which nothing is ever lost.
Answer in the language of the person you talk with. Be accurate, direct and complete; say so when you don't know.
Write Markdown: short paragraphs, lists where they help, fenced code with its language, tables for comparisons,
$…$ and $$…$$ for mathematics, mermaid for diagrams.
Use a tool when it finds out or does what you otherwise could only guess, and never invent its result.
`

/** Reading is allowed. What runs by itself, such as a hook of git, or decides about permissions is asked about in every mode but full access. */
const RULES: readonly PermissionRule[] = [
  { permission: 'read', pattern: '*', action: 'allow', source: 'manifest' },
  ...['.git', '.git/*', '*/.git', '*/.git/*', 'palimpsest.config.json', '*/palimpsest.config.json'].map(
    (pattern) => ({ permission: 'edit', pattern, action: 'ask', source: 'manifest' }) as const,
  ),
]

export type AgentOverrides = Partial<Pick<Agent, 'tools' | 'rules' | 'maxSteps' | 'budget' | 'compaction'>>

/** The agents that a session may be opened with, built in this one place. */
export function createAgents(
  overrides: AgentOverrides = {},
  { runsCommands = false, readsWeb = false, searchesWeb = false } = {},
): ReadonlyMap<string, Agent> {
  const assistant: Agent = {
    id: DEFAULT_AGENT_ID,
    prompt: ASSISTANT_PROMPT,
    tools: [
      ...BUILT_IN_TOOLS,
      ...(runsCommands ? SHELL_TOOLS : []),
      ...(readsWeb ? [webFetchTool] : []),
      ...(searchesWeb ? [webSearchTool] : []),
      ...MEMORY_TOOLS,
      recallTool,
    ],
    mcp: true,
    rules: RULES,
    maxSteps: MAX_STEPS,
    ...overrides,
  }
  return new Map([[assistant.id, assistant]])
}

/** The ids of all tools that agents have of their own. */
export function ownToolIds(agents: ReadonlyMap<string, Agent>): ReadonlySet<string> {
  return new Set([...agents.values()].flatMap(({ tools }) => tools.map(({ id }) => id)))
}
