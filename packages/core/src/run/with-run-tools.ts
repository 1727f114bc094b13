import type { McpHub } from '../tool/mcp/mcp-hub.ts'
import { createTaskTool, TASK_TOOL } from '../tool/task.ts'
import type { Agent } from './agent.ts'

/** The agent with the tools of the MCP servers as they are now, and the servers that are not connected. */
export async function withMcpTools(
  agent: Agent,
  mcp: McpHub | null,
  signal: AbortSignal,
): Promise<{ agent: Agent; missing: readonly string[] }> {
  if (mcp === null || agent.mcp !== true) return { agent, missing: [] }
  const { tools, missing } = await mcp.snapshot(signal)
  return { agent: { ...agent, tools: [...agent.tools, ...tools] }, missing }
}

/** The agent, whose tool for subagents names those that there are. */
export function withSubagents(agent: Agent, subagents: readonly Agent[]): Agent {
  const tools = agent.tools.map((tool) => (tool.id === TASK_TOOL ? createTaskTool(subagents) : tool))
  return { ...agent, tools }
}
