import type { ModelRef } from '@palimpsest/core/domain'

/** What can be done with a message. An action that is left out is not offered. Keep its identity. */
export type MessageActions = {
  /** The address that opens the thread at this message. */
  linkFor?: (messageId: string) => string
  /** A new reply to the same user message, by the same or another model. */
  onRegenerate?: (messageId: string, model?: ModelRef) => void
  /** Goes on where a stopped or interrupted reply ended. */
  onContinue?: (messageId: string) => void
  /** Runs the turn again: the message is a failed reply, or a user message without one. */
  onResend?: (messageId: string) => void
  /** Has the model see a condensed output whole, or by its condensed form again. */
  onUseFullResult?: (messageId: string, toolCallId: string, whole: boolean) => void
  onStop?: () => void
}
