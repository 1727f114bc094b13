import { bashOutputTool, bashStopTool } from './bash/background-tools.ts'
import { bashTool } from './bash/bash.ts'
import { editTool } from './edit.ts'
import { globTool } from './glob.ts'
import { grepTool } from './grep.ts'
import { questionTool } from './question.ts'
import { readTool } from './read.ts'
import { skillTool } from './skill.ts'
import { todoTool } from './todo.ts'
import type { Tool } from './tool.ts'
import { writeTool } from './write.ts'

/** The built-in tools, in the order in which the prompt lists them. */
export const BUILT_IN_TOOLS: readonly Tool[] = [
  todoTool,
  readTool,
  writeTool,
  editTool,
  globTool,
  grepTool,
  questionTool,
  skillTool,
]

/** The tools of a host that runs commands. */
export const SHELL_TOOLS: readonly Tool[] = [bashTool, bashOutputTool, bashStopTool]
