import { createTaskTool, defineTool } from '@palimpsest/testing'
import { z } from 'zod'

/** A tool that is asked about unless it only looks; `made` holds the commands that were run, by any host. */
export function commandTool(made: string[]) {
  return defineTool({
    id: 'run',
    description: 'Runs a command',
    input: z.object({ command: z.string() }),
    requires: ({ command }) => [
      { permission: 'command', pattern: command, ...(command === 'look' && { readOnly: true }) },
    ],
    execute({ command }) {
      made.push(command)
      return Promise.resolve({ text: command })
    },
  })
}

export const taskTool = createTaskTool([{ id: 'general', description: 'General' }])
