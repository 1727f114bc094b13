import type { DemoConversation } from './demo-conversation.ts'
import type { ToolMove } from './tool-plan.ts'

/** Calls of the demonstration, each with other arguments than the one before it. */
const TASKS = 8

/** Decides the next move of a demonstration of budgets: one call after the other, until a limit of the chat ends the reply. */
export function nextBudgetMove({ results }: DemoConversation, available: ReadonlySet<string>): ToolMove {
  if (!available.has('todo')) return { say: NO_TOOLS, call: null }
  // A call that the budget refused is made again once the reply is continued.
  const made = results.filter(({ failed }) => !failed).length
  if (made >= TASKS || results.length >= 2 * TASKS) return { say: done(made), call: null }
  return { say: made === 0 ? BEGIN : `Task ${made + 1} of ${TASKS}.`, call: tick(made) }
}

function tick(done: number) {
  const todos = Array.from({ length: TASKS }, (_, index) => ({
    content: `Task ${index + 1}`,
    status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
  }))
  return { toolName: 'todo', input: { todos } }
}

const BEGIN = `I will make ${TASKS} tool calls, one after the other. A budget that is smaller warns you at 80 %, and ends this reply at its limit, with the reason and a way to go on.

Task 1 of ${TASKS}.`
const NO_TOOLS =
  'I would spend a budget now, but this session gave me no tools. Start an ordinary chat and ask again.'

function done(calls: number): string {
  return `All done: ${calls} tool calls, and no limit that would end this reply is left.

To see one, press the context meter under the message field, then **Budget**. Enter 5 tool calls for each reply, save, and say \`spend your budget\` again. A limit of the whole chat counts what the chat has spent before: \`Raise and continue\` then goes on where the reply has ended.

What is spent is stored with the chat, so that a reload, a restart or a branch gives nothing back. Tokens, dollars and time can be limited in the same way.`
}
