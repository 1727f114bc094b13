import { createTaskTool, TASK_TOOL } from '../../tool/task.ts'
import type { Agent } from '../agent.ts'

/** The agent, whose tool for subagents names those that there are. */
export function withSubagents(agent: Agent, subagents: readonly Agent[]): Agent {
  const tools = agent.tools.map((tool) => (tool.id === TASK_TOOL ? createTaskTool(subagents) : tool))
  return { ...agent, tools }
}
