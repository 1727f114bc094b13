import { TOOL_SEARCH } from './mcp/tool-search.ts'
import type { Tool } from './tool.ts'

/** Own tools in the order in which they leave a small window, the least used first. Tools that are not named leave after these. */
const LEAST_USED_FIRST = [
  'memory_delete',
  'memory_list',
  'bash_stop',
  'recall',
  'task',
  'memory_read',
  'memory_write',
  'web_search',
  'bash_output',
  'todo',
  'skill',
  'question',
  'web_fetch',
  'glob',
  'grep',
  'edit',
  'write',
  'bash',
  'read',
]

/** These tools in the order in which they leave: those of servers first, the last listed before the others. */
export function leavingOrder(tools: readonly Tool[]): Tool[] {
  const rank = ({ id, metadata }: Tool) => {
    if (metadata?.['mcp'] !== undefined) return -1
    const at = LEAST_USED_FIRST.indexOf(id)
    return at === -1 ? LEAST_USED_FIRST.length : at
  }
  return tools
    .filter(({ id }) => id !== TOOL_SEARCH)
    .toReversed()
    .sort((one, other) => rank(one) - rank(other))
}
