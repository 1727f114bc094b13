import type { McpHub } from '../tool/mcp/mcp-hub.ts'
import { createToolCatalogue, type ToolCatalogue } from '../tool/mcp/tool-catalogue.ts'
import { createTaskTool, TASK_TOOL } from '../tool/task.ts'
import type { Agent } from './agent.ts'

/** What an agent can do in one run. */
export type Equipped = {
  /** With the tools of the MCP servers, as they were when the run began or was resumed. */
  agent: Agent
  catalogue: ToolCatalogue
  /** MCP servers that were not connected then. */
  missing: readonly string[]
}

/** The agent with the tools of the MCP servers as they are now. */
export async function withMcpTools(agent: Agent, mcp: McpHub | null, signal: AbortSignal): Promise<Equipped> {
  const { tools, missing } =
    mcp === null || agent.mcp !== true ? { tools: [], missing: [] } : await mcp.snapshot(signal)
  const catalogue = createToolCatalogue(agent.tools, tools)
  return { agent: { ...agent, tools: catalogue.all }, catalogue, missing }
}

/** The agent, whose tool for subagents names those that there are. */
export function withSubagents(agent: Agent, subagents: readonly Agent[]): Agent {
  const tools = agent.tools.map((tool) => (tool.id === TASK_TOOL ? createTaskTool(subagents) : tool))
  return { ...agent, tools }
}
