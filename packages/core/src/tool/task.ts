import { z } from 'zod'
import { LIMITS } from '../domain/limits.ts'
import { defineTool, type Tool, ToolError } from './tool.ts'

export const TASK_TOOL = 'task'

/** An agent that a model may start as a subagent. */
type Choice = { id: string; description: string }

const INPUT = z.object({
  subagent_type: z.string().min(1).max(200),
  prompt: z.string().min(1).max(LIMITS.taskCharacters),
  background: z.boolean().describe('True: do not wait for the result').exactOptional(),
})

/** Tools that are remembered by their descriptions: those of the folders that are worked in just now. */
const REMEMBERED = 64

const made = new Map<string, Tool>()

/**
 * Starts a subagent: the same loop in a session of its own. The run executes the call, and waits for the subagent's end. The same
 * tool for the same agents, so that its definition is made and measured once and not in each run.
 */
export function createTaskTool(choices: readonly Choice[]): Tool {
  const description = [
    'Give a piece of work to a subagent, which works on its own and sees nothing of this conversation.',
    'Its final text is the result. Several calls at once work in parallel.',
    'Write in the prompt all that it has to know, and what you want back.',
    'With background the call returns at once, and the result comes into the conversation later.',
    'Subagents:',
    ...choices.map(({ id, description: what }) => `- ${id}: ${what}`),
  ].join('\n')
  const known = made.get(description)
  if (known !== undefined) return known
  if (made.size >= REMEMBERED) made.clear()
  const tool = taskTool(description)
  made.set(description, tool)
  return tool
}

function taskTool(description: string): Tool {
  return defineTool({
    id: TASK_TOOL,
    description,
    input: INPUT,
    requires: () => [],
    subagent: ({ subagent_type: agent, prompt, background = false }) => ({ agent, prompt, background }),
    execute: () => Promise.reject(new ToolError('Subagents cannot be started here.')),
  })
}
