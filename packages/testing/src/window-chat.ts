import type { ChatMessage, FinishReason } from '@palimpsest/core/domain'
import { createAgents } from '../../core/src/session/agents.ts'
import { type CoreLab, openCoreLab } from './core-lab.ts'
import { findTool } from './find-tool.ts'
import type { ProviderRequest } from './scripted-provider.ts'
import type { ReplyScript } from './scripted-provider-reply.ts'
import { type Overflow, type WindowServer, windowServer } from './window-provider.ts'

const OWN =
  createAgents({}, { runsCommands: true, readsWeb: true, searchesWeb: true }).get('assistant')?.tools ?? []
const RULES = [{ permission: '*', pattern: '*', action: 'allow', source: 'manifest' }] as const

const FIND = {
  ...findTool,
  execute: ({ tokens }: { tokens: number }) =>
    Promise.resolve({ text: 'A line found.\n'.repeat(Math.ceil((tokens * 4) / 14)) }),
}

export type WindowModel = { contextLimit: number | null; maxOutput: number | null }

/** A chat with a model behind a server with a window, whose model answers a step by its number in the turn, from 1. */
export async function openWindowChat(
  limit: number,
  overflow: Overflow,
  model: WindowModel,
  say: (turn: number, step: number) => ReplyScript,
): Promise<WindowChat> {
  const lab = await openCoreLab(
    {},
    { agent: { tools: [...OWN, FIND], rules: RULES }, compaction: { precompute: false } },
    model,
  )
  const server = windowServer(limit, overflow)
  let turn = 0
  let step = 0
  lab.provider.intercept(() => null)
  lab.provider.otherwise((request: ProviderRequest) => {
    const asked = JSON.stringify(request.body)
    if (asked.includes('Write a title')) return server.answer(request, { text: 'A title' })
    if (asked.includes('You write the summary'))
      return server.answer(request, { text: `They spoke about the numbers up to ${turn}. `.repeat(20) })
    step += 1
    return server.answer(request, say(turn, step))
  })
  const { id } = await lab.sessions.create({})
  return {
    lab,
    id,
    server,
    async ask(text: string) {
      turn += 1
      step = 0
      const before = lab.provider.requests.length
      const steps = lab.steps.length
      const { messages } = await lab.turn(text, id)
      const reply = messages.findLast(({ metadata }) => metadata?.finishReason !== undefined)
      return {
        reply,
        reason: reply?.metadata?.finishReason,
        error: reply?.metadata?.error,
        requests: lab.provider.requests.length - before,
        steps: lab.steps.length - steps,
      }
    },
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  }
}

/** What a turn came to. */
export type WindowTurn = {
  reply: ChatMessage | undefined
  reason: FinishReason | undefined
  error: { code: string; message: string } | undefined
  /** Requests of all kinds, and those of them that were steps of the turn. */
  requests: number
  steps: number
}

export type WindowChat = AsyncDisposable & {
  lab: CoreLab
  id: string
  server: WindowServer
  ask(text: string): Promise<WindowTurn>
}
