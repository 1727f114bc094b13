import type { Tool } from './tool.ts'

/** What is left of these tools in a session without a folder. */
export function withoutFolder(tools: readonly Tool[]): Tool[] {
  return tools.flatMap((tool) => (tool.withoutFolder === undefined ? tool : (tool.withoutFolder ?? [])))
}
