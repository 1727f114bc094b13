import { questionTool } from './question.ts'
import { readTool } from './read.ts'
import { todoTool } from './todo.ts'
import type { Tool } from './tool.ts'

/** The built-in tools, in the order in which the prompt lists them. */
export const BUILT_IN_TOOLS: readonly Tool[] = [todoTool, readTool, questionTool] as const
