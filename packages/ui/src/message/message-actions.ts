import type { ModelRef } from '@palimpsest/core/domain'

/** Actions on a message. An absent action is not offered. Keep the object's identity. */
export type MessageActions = {
  /** The address that opens the thread at this message. */
  linkFor?: (messageId: string) => string
  /** A new reply to the same user message, by the same or another model. */
  onRegenerate?: (messageId: string, model?: ModelRef) => void
  /** Continues a stopped or interrupted reply. */
  onContinue?: (messageId: string) => void
  /** Opens the budget that ended the reply, to raise it and continue. */
  onRaiseBudget?: () => void
  /** Runs the turn again: the message is a failed reply, or a user message without one. */
  onResend?: (messageId: string) => void
  /** Sets whether the model reads the full result of a call or the condensed one. */
  onUseFullResult?: (messageId: string, toolCallId: string, whole: boolean) => void
  /** Makes the model read a message again that is left out. */
  onBringBack?: (messageId: string) => void
  onStop?: () => void
}
