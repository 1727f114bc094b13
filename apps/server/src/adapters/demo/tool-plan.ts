import type { JSONObject } from '@ai-sdk/provider'
import type { DemoConversation, DemoToolResult } from './demo-conversation.ts'

export type DemoToolCall = { toolName: string; input: JSONObject }

/** The next thing to do in a demonstration of tools: something to say, and perhaps a call. */
export type ToolMove = { say: string; call: DemoToolCall | null }

const TASKS = ['Write down the plan', 'Look at a file of the workspace', 'Say what came of it'] as const

/** Decides the next move from what the tools have answered so far: plan, read where that is possible, tick off, sum up. */
export function nextToolMove({ results }: DemoConversation, available: ReadonlySet<string>): ToolMove {
  if (!available.has('todo')) return { say: NO_TOOLS, call: null }
  const [planned, ...later] = results
  if (planned === undefined) return { say: PLAN, call: todo(1) }
  const read = later.find((result) => result.toolName === 'read')
  if (read === undefined && later.length === 0 && available.has('read'))
    return { say: READ, call: { toolName: 'read', input: { path: 'README.md' } } }
  if (!later.some((result) => result.toolName === 'todo')) return { say: TICK, call: todo(TASKS.length) }
  return { say: summary(results, read), call: null }
}

function todo(done: number): DemoToolCall {
  const todos = TASKS.map((content, index) => ({ content, status: statusOf(index, done) }))
  return { toolName: 'todo', input: { todos } }
}

function statusOf(index: number, done: number): string {
  if (index < done) return 'completed'
  return index === done ? 'in_progress' : 'pending'
}

function summary(results: readonly DemoToolResult[], read: DemoToolResult | undefined): string {
  const failed = results.filter((result) => result.failed).length
  return `Done: ${results.length} tool calls${failed > 0 ? `, of which ${failed} failed` : ''}. ${readSentence(read)}

Each call above is a step of its own. Its input arrived piece by piece, the tool ran on the server, its output was stored, and only then was I asked to go on. Open a call to see exactly what went in and what came out.

I followed a script, of course. A real model chooses its tools itself, with the same cards to show for it.`
}

function readSentence(read: DemoToolResult | undefined): string {
  if (read === undefined) return 'There was no file tool in this session, so I kept to the list.'
  if (read.failed)
    return 'There was no `README.md` that I may read here; a failed call is shown as one, and the conversation goes on.'
  if (read.text.startsWith('<output condensed'))
    return 'The `README.md` of this workspace came back, and before I was asked to go on it had been condensed: the card says so, and holds both what is stored and what I was shown.'
  return `The \`README.md\` of this workspace came back with ${read.text.split('\n').length} lines. I cannot understand them, but you can read them in the card.`
}

const PLAN = 'I will show you tools in three small steps. First, a list of what I am about to do.'
const READ = 'The list is written down. Next, a look at a file.'
const TICK = 'Now I tick off the list.'
const NO_TOOLS =
  'I would show you tools now, but this session gave me none. Start an ordinary chat and ask again.'
