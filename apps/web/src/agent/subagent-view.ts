import {
  ABORTED_BY_PARENT,
  type ChatMessage,
  isToolPart,
  type SessionStatus,
  SUBAGENT_FAILED,
  SUBAGENT_INTERRUPTED,
  SUBAGENT_NOT_STARTED,
  SUBAGENT_STOPPED,
  UNKNOWN_REASON,
} from '@palimpsest/core/domain'
import { isRecord, type ToolPart, type ToolState } from '@palimpsest/ui'

/** What a call says of the subagent that it has started. */
export type TaskCall = {
  agent: string
  background: boolean
  /** Milliseconds from the start of the subagent to its end; null while it works, and in the background. */
  durationMs: number | null
  /** Why it has no result. */
  error: string | null
}

export function taskCallOf(part: ToolPart): TaskCall {
  const output = part.state === 'output-available' && isRecord(part.output) ? part.output : {}
  const data = isRecord(output['data']) ? output['data'] : {}
  const facts = part.toolMetadata ?? {}
  const input = isRecord(part.input) ? part.input : {}
  const measured = isRecord(output['metadata']) ? output['metadata'] : facts
  const background = data['background'] === true
  const agent = [facts['agent'], data['agent'], input['subagent_type']].find((id) => typeof id === 'string')
  const ms = measured['duration_ms']
  return {
    agent: typeof agent === 'string' ? agent : '',
    background,
    durationMs: typeof ms === 'number' && !background ? ms : null,
    error: part.state === 'output-error' ? part.errorText : null,
  }
}

/** How the run of a subagent is; null while that is not known. */
export type SubagentPhase = 'working' | 'waiting' | 'retrying' | SubagentEnd | null
export type SubagentEnd = 'done' | 'stopped' | 'failed'

export type SubagentFacts = {
  call: TaskCall
  /** The state of the call. */
  state: ToolState
  /** The status of the subagent's session. */
  status: SessionStatus
  reply: ChatMessage | null
}

/** A call in the foreground ends with its subagent; one in the background has ended before. */
export function phaseOf({ call, state, status, reply }: SubagentFacts): SubagentPhase {
  if (call.background) return phaseOfRun(status) ?? endOfReply(reply)
  switch (state) {
    case 'done':
      return 'done'
    case 'denied':
    case 'failed':
      return call.error === SUBAGENT_STOPPED || call.error === ABORTED_BY_PARENT ? 'stopped' : 'failed'
    case 'stopped':
      return 'stopped'
    case 'preparing':
    case 'running':
    case 'waiting':
      return phaseOfRun(status) ?? 'working'
  }
}

export function isOn(phase: SubagentPhase): boolean {
  return phase === 'working' || phase === 'waiting' || phase === 'retrying'
}

function phaseOfRun({ state }: SessionStatus): SubagentPhase {
  if (state === 'busy') return 'working'
  return state === 'waiting' || state === 'retrying' ? state : null
}

function endOfReply(reply: ChatMessage | null): SubagentPhase {
  switch (reply?.metadata?.finishReason) {
    case undefined:
      return null
    case 'aborted':
      return 'stopped'
    case 'error':
    case 'interrupted':
      return 'failed'
    default:
      return 'done'
  }
}

/** How a subagent has failed. A reason is in the words of the server or the provider. */
export type SubagentFailure =
  | { type: 'failed'; reason: string | null }
  | { type: 'not-started'; reason: string }
  | { type: 'interrupted' }

/** How the subagent of a call has failed, as the error of the call says it in fixed words for the model. */
export function failureOf({ call: { error }, reply }: SubagentFacts): SubagentFailure {
  if (error === SUBAGENT_INTERRUPTED) return { type: 'interrupted' }
  if (error?.startsWith(SUBAGENT_NOT_STARTED) === true)
    return { type: 'not-started', reason: error.slice(SUBAGENT_NOT_STARTED.length) }
  const { error: own, finishReason } = reply?.metadata ?? {}
  const reason = error?.replace(SUBAGENT_FAILED, '') ?? own?.message ?? UNKNOWN_REASON
  if (reason !== UNKNOWN_REASON) return { type: 'failed', reason }
  return finishReason === 'interrupted' ? { type: 'interrupted' } : { type: 'failed', reason: null }
}

/** The reply to the prompt of the call, among what its session shows; not what persons said there later. */
export function taskReply(shown: readonly ChatMessage[]): ChatMessage | null {
  const prompt = shown.findIndex(({ role }) => role === 'user')
  const next = shown.findIndex(({ role }, at) => role === 'user' && at > prompt)
  const own = next === -1 || prompt === -1 ? shown : shown.slice(0, next)
  return own.findLast(({ role }) => role === 'assistant') ?? null
}

/** What a reply does now, by its last part. */
export type Activity =
  | { type: 'starting' }
  | { type: 'thinking' }
  | { type: 'call'; part: ToolPart }
  | { type: 'text'; line: string }

/** Characters of a line of text that says what a subagent does. */
const LINE = 200

export function activityOf(reply: ChatMessage | null): Activity {
  const last = reply?.parts.findLast(
    (part) =>
      isToolPart(part) || part.type === 'reasoning' || (part.type === 'text' && part.text.trim() !== ''),
  )
  if (last === undefined) return { type: 'starting' }
  if (isToolPart(last)) return { type: 'call', part: last }
  if (last.type !== 'text') return { type: 'thinking' }
  return { type: 'text', line: (last.text.trim().split('\n').at(-1) ?? '').slice(0, LINE) }
}

/** Calls that a card lists, and characters of text that it shows. */
const CALLS = 6
const TEXT = 1_200

/** What a card shows of a reply: its last calls, and its last text; of a text that grows the end, else the beginning. */
export function stepsOf(
  reply: ChatMessage,
  growing: boolean,
): { calls: ToolPart[]; earlier: number; text: string } {
  const calls = reply.parts.filter(isToolPart)
  const shown = calls.slice(-CALLS)
  const last = reply.parts.findLast((part) => part.type === 'text' && part.text.trim() !== '')
  const text = last?.type === 'text' ? last.text.trim() : ''
  return { calls: shown, earlier: calls.length - shown.length, text: growing ? tailOf(text) : headOf(text) }
}

function headOf(text: string): string {
  return text.length <= TEXT ? text : `${text.slice(0, TEXT).toWellFormed().trimEnd()} …`
}

/** The end of a text, from the beginning of a paragraph where there is one. */
function tailOf(text: string): string {
  if (text.length <= TEXT) return text
  const tail = text.slice(-TEXT).toWellFormed()
  const paragraph = tail.indexOf('\n\n')
  return `… ${paragraph === -1 ? tail : tail.slice(paragraph).trimStart()}`
}
