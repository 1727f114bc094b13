import { z } from 'zod'
import { defineTool } from './tool.ts'

const MARKS = { pending: '[ ]', in_progress: '[~]', completed: '[x]' } as const

/** Keeps the list of tasks. Each call states the whole list, so it is stored with the conversation. */
export const todoTool = defineTool({
  id: 'todo',
  description:
    'Write down the whole list of tasks you are working through, with the state of each. ' +
    'Use it for work of three or more steps, keep exactly one task in progress, and update it as you finish each.',
  input: z.object({
    todos: z
      .array(
        z.object({
          content: z.string().min(1).max(500).describe('What is to be done'),
          status: z.enum(['pending', 'in_progress', 'completed']),
        }),
      )
      .max(100),
  }),
  requires: () => [],
  execute({ todos }) {
    const lines = todos.map((item) => `${MARKS[item.status]} ${item.content}`)
    const done = todos.filter((item) => item.status === 'completed').length
    return Promise.resolve({
      text: [`${done} of ${todos.length} done`, ...lines].join('\n'),
      data: { todos },
    })
  },
})
