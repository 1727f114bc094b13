import type { CorePorts, CoreSettings, SessionService } from '@palimpsest/core'
import { type ChatPart, isToolPart } from '@palimpsest/core/domain'
import { z } from 'zod'
import { createTaskTool } from '../../core/src/tool/task.ts'
import { defineTool, type Tool } from '../../core/src/tool/tool.ts'
import { type CoreLab, openCoreLab } from './core-lab.ts'
import { createMemoryStore } from './memory-store/memory-store.ts'
import { createMemoryTables, type MemoryTables } from './memory-store/tables.ts'
import type { ProviderRequest, ScriptedProvider } from './scripted-provider.ts'
import { failure, type ReplyScript, reply } from './scripted-provider-reply.ts'

/** The replies to a message, step by step. */
export type Plans = Readonly<Record<string, readonly ReplyScript[]>>

type Sent = { role: string; content: unknown }

/** Answers each request by the last message of a user in it, and the steps since. */
function answerBy(provider: ScriptedProvider, plans: Plans): void {
  provider.otherwise((request) => {
    const { asked, step } = stepOf(request)
    const script = plans[asked]?.[step]
    return script === undefined
      ? failure(400, `Nothing is planned for step ${step} of ${asked}.`)
      : reply(script)
  })
}

function stepOf({ body }: ProviderRequest): { asked: string; step: number } {
  const messages = (body['messages'] as Sent[]).filter((message) => !isReminder(message))
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const content = messages[last]?.content
  const asked = typeof content === 'string' ? content : ((content as { text: string }[])[0]?.text ?? '')
  return { asked, step: messages.slice(last).filter(({ role }) => role === 'assistant').length }
}

function isReminder({ content }: Sent): boolean {
  return typeof content === 'string' && content.startsWith('<reminder>')
}

/** A call that starts a subagent with this prompt. */
export function task(prompt: string, more: object = {}) {
  const input = { subagent_type: 'general', prompt, ...more }
  return { name: 'task', input, id: `call_${prompt.replaceAll(' ', '_')}` }
}

/** A call of the tool that is asked about, unless it only looks; `serve` runs on in the background. */
export function runs(command: string) {
  return { name: 'run', input: { command }, id: `call_${command}` }
}

const UNASKED = new Set(['look', 'serve'])

/** Tools that start subagents, and run commands; `made` holds the commands that were run. */
function createSubagentTools(made: string[] = []): { tools: Tool[]; made: string[] } {
  const run = defineTool({
    id: 'run',
    description: 'Runs a command',
    input: z.object({ command: z.string() }),
    requires: ({ command }) => [
      { permission: 'command', pattern: command, ...(UNASKED.has(command) && { readOnly: true }) },
    ],
    execute: ({ command }, { shell, sessionId }) => {
      if (command === 'serve')
        shell?.startInBackground({ line: command, root: '/w', access: 'write', sessionId })
      made.push(command)
      return Promise.resolve({ text: `Ran ${command}` })
    },
  })
  const choices = ['general', 'explore'].map((id) => ({ id, description: id }))
  return { tools: [run, createTaskTool(choices)], made }
}

export type SubagentLab = CoreLab & { made: string[] }

/** A core whose model answers by plan, with tools that start subagents and run commands. */
export async function openSubagentLab(
  plans: Plans,
  tables: MemoryTables = createMemoryTables(),
  made: string[] = [],
  ports: Partial<CorePorts> = {},
  settings: Partial<CoreSettings> = {},
): Promise<SubagentLab> {
  const { tools } = createSubagentTools(made)
  const lab = await openCoreLab(
    { store: createMemoryStore(tables), ...ports },
    { agent: { tools }, ...settings },
  )
  answerBy(lab.provider, plans)
  return Object.assign(lab, { made })
}

/** The subagents of a session, the one that was started first first. */
export async function childrenOf(sessions: SessionService, parentId: string) {
  const { items } = await sessions.list({ parentId })
  return items.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
}

/** The newest message of a session, its tool calls and its last text. */
export async function newestOf(sessions: SessionService, sessionId: string) {
  const { items } = await sessions.messages({ sessionId })
  const message = items.at(-1)
  const parts: ChatPart[] = message?.parts ?? []
  const text = parts.findLast((part) => part.type === 'text')?.text ?? ''
  return { message, calls: parts.filter(isToolPart), text }
}
