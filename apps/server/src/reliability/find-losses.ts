import { type ChatMessage, type ChatPart, isObject, type SteeringPart } from '@palimpsest/core/domain'
import type { CallRecorder } from './call-recorder.ts'
import type { Host } from './host.ts'

async function keptIn(host: Host, sessionId: string): Promise<Map<string, ChatMessage>> {
  const kept = await host.queue(sessionId)
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<Host['page']>> = await host.page(sessionId, cursor)
    kept.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return new Map(kept.map((message) => [message.id, message]))
}

/**
 * Compares a restarted host with the calls recorded before the crash. Returns what is missing or
 * wrong, in words; an empty list when everything is there.
 */
export async function findLosses(
  host: Host,
  recorder: CallRecorder,
  sessionIds: readonly string[],
): Promise<string[]> {
  const losses: string[] = []
  for (const sessionId of sessionIds) {
    const state = await host.state(sessionId)
    if (state !== 'idle') losses.push(`${sessionId} is ${state}`)
    const kept = await keptIn(host, sessionId)
    losses.push(...lostMessages(recorder, sessionId, kept), ...lostWords(recorder, sessionId, kept))
    for (const message of kept.values()) losses.push(...openEnds(message))
  }
  return losses
}

function lostMessages(recorder: CallRecorder, sessionId: string, kept: Map<string, ChatMessage>): string[] {
  return recorder.acknowledged
    .filter((sent) => sent.sessionId === sessionId)
    .filter(({ messageId, text }) => textOf(seenAs(messageId, kept)?.[0]) !== text)
    .map(({ messageId }) => `${messageId} was acknowledged and is gone`)
}

/** The displayed parts of a message: those of a steering message are inside the reply that it steered. */
function seenAs(messageId: string, kept: Map<string, ChatMessage>): ChatPart[] | undefined {
  const message = kept.get(messageId)
  if (message?.metadata?.steer === undefined || message.metadata.hiddenAt === undefined) return message?.parts
  return kept
    .values()
    .flatMap(({ parts }) => parts)
    .find((part): part is SteeringPart => part.type === 'steering-message' && part.id === messageId)?.parts
}

function lostWords(recorder: CallRecorder, sessionId: string, kept: Map<string, ChatMessage>): string[] {
  return recorder.shown
    .filter((seen) => seen.sessionId === sessionId)
    .flatMap(({ message }) =>
      message.parts.flatMap((part, index) => {
        const stored = kept.get(message.id)?.parts[index]
        const gone = () =>
          `${message.id}, part ${index}: ${stateOf(part)} was shown, ${stateOf(stored)} is stored`
        return holds(stored, part) ? [] : [gone()]
      }),
    )
}

function stateOf(part: ChatPart | undefined): string {
  if (part === undefined) return 'nothing'
  const output = 'output' in part ? `: ${JSON.stringify(part.output)?.slice(0, 300)}` : ''
  return `${part.type} (${'state' in part ? part.state : ''}${output})`
}

/** Whether the stored part is the displayed one, or a later state of it. */
function holds(stored: ChatPart | undefined, shown: ChatPart): boolean {
  if (stored?.type !== shown.type) return false
  const text = textOf(shown)
  if (text !== null) return textOf(stored)?.startsWith(text) === true
  if (!('toolCallId' in shown) || !('toolCallId' in stored)) return true
  if (stored.toolCallId !== shown.toolCallId) return false
  if (shown.state !== 'output-available') return true
  if (shown.preliminary === true && stored.state === 'output-error')
    return stored.errorText.includes(outputText(shown.output))
  return shown.preliminary === true || JSON.stringify(stored.output) === JSON.stringify(shown.output)
}

/** What a finished run must not leave open. */
function openEnds({ id, role, metadata, parts }: ChatMessage): string[] {
  if (role !== 'assistant') return []
  const unsaid = metadata?.finishReason === undefined ? [`${id} does not say how it ended`] : []
  const open = parts.filter((part) => 'state' in part && !CLOSED.includes(part.state ?? ''))
  return [...unsaid, ...open.map((part) => `${id} has an open ${part.type}`)]
}

const CLOSED = ['done', 'output-available', 'output-error']

function outputText(output: unknown): string {
  return isObject(output) && typeof output['text'] === 'string' ? output['text'] : ''
}

function textOf(part: ChatPart | undefined): string | null {
  return part?.type === 'text' || part?.type === 'reasoning' ? part.text : null
}
