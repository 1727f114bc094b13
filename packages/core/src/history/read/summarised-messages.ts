import { type LoadedSkill, skillsOf } from '../../context/loaded-skills.ts'
import { isLeftOut, isSummary, modelViewOf, summaryText } from '../../context/model-view.ts'
import { resultText } from '../../context/output-text.ts'
import type { OutlineEntry } from '../../domain/history/outline.ts'
import {
  type ChatMessage,
  type ChatPart,
  isToolPart,
  type StoredMessage,
  toChatMessage,
} from '../../domain/message/message.ts'
import { toRanges } from '../../domain/values/seq-ranges.ts'
import type { PromptLeftOut } from '../../domain/window/prompt-left-out.ts'
import type { Store } from '../../ports/index.ts'
import { measured } from '../plan/measured.ts'
import type { Estimator } from '../plan/prunable-outputs.ts'

/** Messages whose bodies are held at once. */
const BATCH = 100

/** The messages to summarise, read a batch at a time: memory does not grow with their number. */
export type SummarisedMessages = {
  transcript: Transcript
  /** The last of its replies. */
  lastReply(): Promise<StoredMessage | null>
  /** Tokens of it all as the model sees it. Only what no transcript has come to is read for that. */
  tokens(): Promise<number>
  /** The skills that the model sees in it, in the order in which they were loaded; of what was read so far. */
  readonly skills: readonly LoadedSkill[]
  /** What the last of it that names such things says the prompt leaves out; of what was read so far. */
  readonly leftOut: PromptLeftOut | undefined
}

/** `places` are in the order in which the model sees them: an earlier summary first. */
export function summarisedMessages(
  sessionId: string,
  places: readonly Pick<OutlineEntry, 'seq' | 'role' | 'compactionId'>[],
  estimator: Estimator,
  store: Store,
): SummarisedMessages {
  let counted = 0
  let tokens = 0
  const skills: LoadedSkill[] = []
  let leftOut: PromptLeftOut | undefined

  async function* bodies(from: number): AsyncGenerator<StoredMessage> {
    for (let start = from; start < places.length; start += BATCH) {
      const seqs = places.slice(start, start + BATCH).map(({ seq }) => seq)
      const messages = await store.history.messagesAt(sessionId, toRanges(seqs))
      const bySeq = new Map(messages.map((message) => [message.seq, message]))
      for (const [index, seq] of seqs.entries()) {
        const message = bySeq.get(seq)
        if (message === undefined) continue
        if (start + index === counted) {
          counted += 1
          tokens += measured(message, estimator).tokens
          skills.push(...visibleSkills(message))
          leftOut = message.metadata.promptLeftOut ?? leftOut
        }
        yield message
      }
    }
  }

  return {
    async *transcript(cut) {
      // A summary keeps its part, by which it is marked; everything else is described as the model sees it.
      for await (const message of bodies(0)) {
        if (isLeftOut(message)) continue
        yield* describeMessage(isSummary(message) ? toChatMessage(message) : modelViewOf(message), cut)
      }
    },
    async lastReply() {
      const last = places.findLast(({ role, compactionId }) => role === 'assistant' && compactionId === null)
      if (last === undefined) return null
      const [reply = null] = await store.history.messagesAt(sessionId, [[last.seq, last.seq]])
      return reply
    },
    async tokens() {
      for await (const _ of bodies(counted));
      return tokens
    },
    skills,
    get leftOut() {
      return leftOut
    },
  }
}

function visibleSkills(message: StoredMessage): LoadedSkill[] {
  if (isLeftOut(message)) return []
  return message.parts.flatMap(({ data, prunedAt }) => (prunedAt === null ? skillsOf(data) : []))
}

/** How much of a tool's output the summariser reads, in characters; null for all of it. */
export type OutputCut = number | null

/** Words of the conversation and who said them; the outputs of tools are the model's. */
export type Passage = { by: 'person' | 'model' | 'summary'; text: string }

/** A conversation as the summariser reads it, passage by passage, from the start each time that it is called. */
export type Transcript = (cut: OutputCut) => AsyncIterable<Passage>

/** A message as the summariser reads it: who said what, which tools were called with what result. */
export function describeMessage(message: ChatMessage, cut: OutputCut): Passage[] {
  const summary = message.parts.map(summaryText).find((text) => text !== null)
  if (summary !== undefined)
    return [{ by: 'summary', text: `<earlier-summary>\n${summary}\n</earlier-summary>` }]
  const passages: Passage[] = []
  for (const part of message.parts) {
    const text = describePart(part, cut)
    if (text === '') continue
    const by = message.role === 'user' || part.type === 'steering-message' ? 'person' : 'model'
    const last = passages.at(-1)
    if (last?.by === by) last.text += `\n${text}`
    else passages.push({ by, text })
  }
  return withRole(message.role, passages)
}

/** The passages of a message between the marks of its role. */
function withRole(role: ChatMessage['role'], passages: readonly Passage[]): Passage[] {
  const own =
    passages.length > 0 ? passages : [{ by: role === 'user' ? 'person' : 'model', text: '' } as const]
  return own.map(({ by, text }, index) => {
    const start = index === 0 ? `<${role}>\n` : ''
    const end = index === own.length - 1 ? `\n</${role}>` : ''
    return { by, text: `${start}${text}${end}` }
  })
}

function describePart(part: ChatPart, cut: OutputCut): string {
  if (isToolPart(part)) return describeCall(part, cut)
  switch (part.type) {
    case 'text':
      return part.text
    case 'file':
      return `[attachment ${part.filename ?? part.mediaType}]`
    case 'steering-message':
      return `[the user added] ${part.parts.map((inner) => describePart(inner, cut)).join(' ')}`
    default:
      return ''
  }
}

function describeCall(part: Extract<ChatPart, { toolCallId: string }>, cut: OutputCut): string {
  const name = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
  const result = part.state === 'output-available' ? resultText(part) : (part.errorText ?? part.state)
  const shown = cut !== null && result.length > cut ? `${result.slice(0, cut)} […]` : result
  return `[called ${name} with ${JSON.stringify(part.input ?? {})}]\n[result] ${shown}`
}
