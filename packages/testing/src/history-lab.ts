import type { CorePorts, CoreSettings } from '@palimpsest/core'
import type { ChatMessage, SessionEvent, SessionView } from '@palimpsest/core/domain'
import { visibleNow } from '../../core/src/history/plan/view.ts'
import { type Measure, measureWindow } from '../../core/src/history/read/measure-window.ts'
import { readTool } from '../../core/src/tool/read.ts'
import { todoTool } from '../../core/src/tool/todo.ts'
import { type CoreLab, openCoreLab } from './core-lab.ts'
import type { ProviderRequest } from './scripted-provider.ts'
import { type ReplyScript, reply, type ScriptedReply } from './scripted-provider-reply.ts'

/** Windows of the lab's models by id, in tokens: the limit, and what one reply may take. Others are roomy. */
const WINDOWS: Record<string, [contextLimit: number | null, maxOutput: number]> = {
  m1: [5_300, 1_000],
  small: [2_900, 600],
  tiny: [700, 100],
  unknown: [null, 1_000],
  cheap: [50_000, 8_000],
}

export type HistoryLab = CoreLab & {
  /** What the summariser was asked, in order. */
  readonly summaries: ProviderRequest[]
  /** Answers the summariser; by default with a few words. */
  summarise(answer: (request: ProviderRequest, index: number) => ScriptedReply): void
  /** What was asked to be condensed, in order. */
  readonly condensations: ProviderRequest[]
  /** Answers such a request; by default with a few words. */
  condense(answer: (request: ProviderRequest, index: number) => ScriptedReply): void
  /** Every event so far. */
  readonly events: SessionEvent[]
  session(sessionId: string): Promise<SessionView>
  /** All messages, hidden ones too. */
  everything(sessionId: string): Promise<ChatMessage[]>
  visible(sessionId: string): Promise<ChatMessage[]>
}

/**
 * A core with small windows and few tools, which fit them, whose provider counts what it is sent, tools too: four characters are a token. `m1` is the model of its
 * sessions, and `cheap` the one that writes summaries. Nothing is written beforehand unless the settings say so.
 */
export async function openHistoryLab(
  overrides: Partial<CorePorts> = {},
  settings: Partial<CoreSettings> = {},
): Promise<HistoryLab> {
  const compaction = { precompute: false, ...settings.compaction }
  const agent = { tools: [readTool, todoTool], ...settings.agent }
  const lab = await openCoreLab(overrides, { ...settings, agent, compaction }, (modelId) => {
    const [contextLimit, maxOutput] = WINDOWS[modelId] ?? [200_000, 8_000]
    return { contextLimit, maxOutput, cheap: modelId === 'cheap' }
  })
  const summaries: ProviderRequest[] = []
  const condensations: ProviderRequest[] = []
  const events: SessionEvent[] = []
  lab.ports.events.subscribe(null, (event) => events.push(event))
  let answer: (request: ProviderRequest, index: number) => ScriptedReply = (_, index) =>
    reply({ text: `Summary ${index + 1}.` })
  let condensed: typeof answer = (_, index) => reply({ text: `Condensed ${index + 1}.` })
  lab.ports.models.cheapSibling = ({ providerId }) => Promise.resolve({ providerId, modelId: 'cheap' })
  lab.provider.intercept((request) => {
    const asked = JSON.stringify(request.body)
    if (asked.includes('Write a title')) return reply({ text: 'A title' })
    if (asked.includes('You condense the output')) return condensed(request, condensations.push(request) - 1)
    return asked.includes('You write the summary') ? answer(request, summaries.push(request) - 1) : null
  })
  lab.provider.otherwise((request) => counted(request, { text: 'Well.' }))

  async function pages(sessionId: string, hidden: boolean): Promise<ChatMessage[]> {
    return (await lab.sessions.messages({ sessionId, limit: 200, hidden })).items
  }

  return Object.assign(lab, {
    summaries,
    condensations,
    condense(next: typeof answer) {
      condensed = next
    },
    events,
    summarise(next: typeof answer) {
      answer = next
    },
    session: (sessionId: string) => lab.sessions.get(sessionId),
    everything: (sessionId: string) => pages(sessionId, true),
    visible: (sessionId: string) => pages(sessionId, false),
  })
}

/** An answer to a request that asked for no stream, once `until` has come. */
export function late(until: Promise<unknown>, script: ReplyScript): ScriptedReply {
  const send = JSON.stringify(reply(script).whole?.())
  return { status: 200, headers: { 'content-type': 'application/json' }, steps: [{ until }, { send }] }
}

/** A reply whose usage counts what was asked and what is answered. */
export function counted({ body }: ProviderRequest, script: ReplyScript): ScriptedReply {
  const answer = [
    ...(typeof script.text === 'string' ? [script.text] : (script.text ?? [])),
    ...(script.toolCalls ?? []).map(({ input }) => JSON.stringify(input)),
  ]
  const prompt = contentsOf(body).join('').length + JSON.stringify(body['tools'] ?? '').length
  return reply({
    usage: {
      prompt_tokens: Math.ceil(prompt / 4),
      completion_tokens: Math.ceil(answer.join('').length / 4),
    },
    ...script,
  })
}

/** What a request says, message by message: `role: text`. */
export function contentsOf(body: Record<string, unknown>): string[] {
  const messages: unknown = body['messages']
  return (Array.isArray(messages) ? messages : []).map((message: { role: string }) => {
    const { role, ...rest } = message
    const content = 'content' in rest ? rest.content : ''
    const said = typeof content === 'string' || content === null ? content : JSON.stringify(content)
    const calls = 'tool_calls' in rest ? JSON.stringify(rest.tool_calls) : ''
    return `${role}: ${said ?? ''}${calls}`
  })
}

/** What the session's window holds when it is worked out again. */
export async function measureAgain({ ports }: Pick<CoreLab, 'ports'>, sessionId: string): Promise<Measure> {
  const [session, outline] = await Promise.all([
    ports.store.sessions.get(sessionId),
    ports.store.history.outline(sessionId),
  ])
  if (session === null) throw new Error('The session is gone')
  return await measureWindow(session, outline, visibleNow(outline), ports)
}

/** Fails unless the meter shows what working the window out again gives; answers what it shows. */
export async function trueMeter(lab: CoreLab, sessionId: string): Promise<number> {
  const { contextWindow } = await lab.sessions.get(sessionId)
  const again = await measureAgain(lab, sessionId)
  const { used, estimated } = contextWindow
  // Where nothing is counted, the meter adds an estimate of the system prompt and the tools.
  const isTrue = again.bare ? used > again.contextTokens : used === again.contextTokens
  if (isTrue && estimated === again.contextEstimated) return used
  throw new Error(`The meter shows ${used}, ${estimated}: it is ${JSON.stringify(again)}`)
}

/** A session of these questions, each answered; with the ids of the questions. */
export async function openTalk(
  lab: HistoryLab,
  questions: readonly string[],
): Promise<{ sessionId: string; ids: string[] }> {
  const { id: sessionId } = await lab.sessions.create({ title: 'Talk' })
  const ids: string[] = []
  for (const question of questions) ids.push((await lab.turn(question, sessionId)).messages.at(-2)?.id ?? '')
  return { sessionId, ids }
}

/** The messages of the last model call, without the system prompt. */
export function lastRequest(lab: HistoryLab): string[] {
  return contentsOf(lab.steps.at(-1)?.body ?? {}).slice(1)
}

/** Words that take about so many tokens. */
export function words(tokens: number, word = 'word'): string {
  return `${word} `.repeat(Math.ceil((tokens * 4) / (word.length + 1))).trim()
}

export function textOf({ parts }: ChatMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
