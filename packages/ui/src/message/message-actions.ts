import type { ModelRef } from '@palimpsest/core/domain'

/** Ways on where the conversation no longer fits the model's window. An absent one would not help. */
export type WaysOut = {
  onCompact?: () => void
  onPrune?: () => void
  /** Opens the list of the messages that take most of the window. */
  onLeaveOut?: () => void
  /** A branch from the latest reply that leaves enough of the window. */
  onBranch?: () => void
  onChooseModel: () => void
}

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
  waysOut?: WaysOut
  onStop?: () => void
}
