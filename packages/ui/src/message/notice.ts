import type { BudgetUse, ChatMessage } from '@palimpsest/core/domain'
import type { Messages } from '../messages/en.ts'

/** The notice under a reply that did not end well, with the one action that helps. */
export type Notice = {
  tone: 'neutral' | 'error'
  text: keyof Messages['notice'] & NoticeText
  /** The message of the provider or the server. */
  detail?: string
  /** The limit that ended the run. */
  budget?: BudgetUse
  action: 'continue' | 'resend' | 'raise'
  /** True where the window of the model was too small. */
  exhausted?: true
}

type NoticeText =
  | 'aborted'
  | 'abortedEmpty'
  | 'empty'
  | 'interrupted'
  | 'failed'
  | 'length'
  | 'contentFilter'
  | 'maxSteps'
  | 'doomLoop'
  | 'budget'

/** Returns the notice of a settled reply; null when it ended well. */
export function noticeFor(message: ChatMessage): Notice | null {
  const { finishReason, error, budget } = message.metadata ?? {}
  switch (finishReason) {
    case 'aborted':
      return isEmpty(message)
        ? { tone: 'neutral', text: 'abortedEmpty', action: 'resend' }
        : { tone: 'neutral', text: 'aborted', action: 'continue' }
    case 'interrupted':
      return {
        tone: 'neutral',
        text: 'interrupted',
        action: isEmpty(message) ? 'resend' : 'continue',
      }
    case 'error':
      return {
        tone: 'error',
        text: 'failed',
        ...(error && { detail: error.message }),
        ...(error?.code === 'CONTEXT_EXHAUSTED' && { exhausted: true }),
        action: 'resend',
      }
    case 'length':
      return { tone: 'neutral', text: 'length', action: 'continue' }
    case 'content-filter':
      return { tone: 'error', text: 'contentFilter', action: 'resend' }
    case 'max-steps':
      return { tone: 'neutral', text: 'maxSteps', action: 'continue' }
    case 'doom-loop':
      return { tone: 'error', text: 'doomLoop', action: 'resend' }
    case 'budget':
      return {
        tone: 'error',
        text: 'budget',
        ...(budget && { budget }),
        action: budget?.scope === 'session' ? 'raise' : 'continue',
      }
    case 'stop':
    case 'tool-calls':
    case 'other':
    case undefined:
      if (error) return { tone: 'error', text: 'failed', detail: error.message, action: 'resend' }
      return isEmpty(message) ? { tone: 'neutral', text: 'empty', action: 'resend' } : null
  }
}

function isEmpty(message: ChatMessage): boolean {
  return message.parts.every(
    (part) => part.type === 'step-start' || (part.type === 'text' && part.text.trim() === ''),
  )
}
