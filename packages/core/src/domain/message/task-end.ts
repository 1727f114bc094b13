import { LIMITS } from '../limits.ts'
import type { Ask, TaskEnd } from '../permission/ask.ts'
import { cutString } from '../values/cut-string.ts'
import type { ChatChunk, ChatPart, MessageMetadata } from './message.ts'

const NO_TEXT = 'The subagent ended without a text.'

/** The error of a call whose subagent a person stopped. */
export const SUBAGENT_STOPPED = 'The subagent was stopped before it had finished.'

/** The error of a call whose subagent was aborted together with the run that had started it. */
export const ABORTED_BY_PARENT = 'aborted by parent'

/** The error of a call whose subagent failed, or could not be started: these words, then the reason. */
export const SUBAGENT_FAILED = 'The subagent failed: '
export const SUBAGENT_NOT_STARTED = 'The subagent could not be started: '

/** The reason where none was stored. */
export const UNKNOWN_REASON = 'the reason is not known.'

/** The error of a call whose subagent was running when the server stopped, and could not go on. */
export const SUBAGENT_INTERRUPTED = 'aborted by host restart; the subagent may have done a part of its work'

type Reply = { metadata: Pick<MessageMetadata, 'finishReason' | 'error'>; parts: readonly ChatPart[] }

/** How the run that wrote this reply has ended, for the model that started the subagent. */
export function taskEndOf({ metadata, parts }: Reply): TaskEnd {
  const { finishReason, error } = metadata
  const text = finalText(parts)
  switch (finishReason) {
    case 'aborted':
      return failed(SUBAGENT_STOPPED)
    case 'error':
      return failed(`${SUBAGENT_FAILED}${error?.message ?? UNKNOWN_REASON}`)
    case 'interrupted':
    case undefined:
      return failed(SUBAGENT_INTERRUPTED)
    case 'stop':
      return finished(text)
    default:
      return finished(`${text}\n\n(The subagent ended early: ${finishReason}.)`)
  }
}

/** The words of the last step that has any, at most `LIMITS.taskCharacters`. */
function finalText(parts: readonly ChatPart[]): string {
  const steps: string[] = ['']
  for (const part of parts) {
    if (part.type === 'step-start') steps.push('')
    if (part.type === 'text') steps.push([steps.pop(), part.text].filter(Boolean).join('\n\n'))
  }
  return steps.findLast((text) => text.trim() !== '') ?? NO_TEXT
}

function finished(text: string): TaskEnd {
  const [cut = ''] = cutString(text, LIMITS.taskCharacters)
  return { outcome: 'finished', text: cut, ...(cut.length < text.length && { truncated: true }) }
}

export function failed(text: string): TaskEnd {
  return { outcome: 'failed', text }
}

/** Facts of a subagent's call that stay with the call in every state. */
export type TaskFacts = { session_id: string; agent: string }

/** The output or error of the call that started a subagent. None for an ask about anything else, or without an end. */
export function taskChunks({ toolCallId, request, reply, createdAt }: Ask, at: number): ChatChunk[] {
  if (request.kind !== 'task' || reply?.type !== 'ended') return []
  const { sessionId, agent } = request.task
  const { outcome, text, truncated } = reply
  const duration_ms = at - createdAt
  const facts: TaskFacts = { session_id: sessionId, agent }
  if (outcome === 'failed')
    return [
      {
        type: 'tool-output-error',
        toolCallId,
        errorText: text,
        toolMetadata: { duration_ms, ...facts },
      },
    ]
  const output = {
    type: 'output',
    text: `${text}\n\nSession of the subagent: ${sessionId}`,
    data: { sessionId, agent },
    metadata: { duration_ms, ...(truncated && { truncated }) },
  }
  return [{ type: 'tool-output-available', toolCallId, output }]
}
