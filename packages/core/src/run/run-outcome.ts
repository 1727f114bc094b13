import type { ErrorCode } from '../domain/errors.ts'
import type { FinishReason } from '../domain/message/message.ts'
import type { BudgetUse } from '../domain/model/budget.ts'
import type { AskKind } from '../domain/permission/ask.ts'
import type { ProviderError, ProviderErrorKind } from '../model/provider-error.ts'

export type RunError = { code: ErrorCode; message: string }

/** How the work on a run ends: with its end, or with a wait for a person, after which it is resumed. */
export type RunOutcome = RunEnd | { type: 'waiting'; on: AskKind }

/** How a run ends. */
export type RunEnd =
  /** The reply is complete, or a limit ended it. */
  | {
      type: 'finished'
      finishReason: Exclude<FinishReason, 'aborted' | 'error' | 'interrupted'>
      /** The limit that ended it. */
      budget?: BudgetUse
    }
  | { type: 'aborted' }
  /** `unanswered`: by its provider, so that no call of ours in its last step was made. */
  | { type: 'failed'; error: RunError; unanswered?: true }

const CODES: Record<ProviderErrorKind, ErrorCode> = {
  transient: 'PROVIDER_ERROR',
  'rate-limit': 'RATE_LIMITED',
  'context-overflow': 'CONTEXT_EXHAUSTED',
  auth: 'PROVIDER_ERROR',
  'invalid-request': 'PROVIDER_ERROR',
  fatal: 'PROVIDER_ERROR',
  aborted: 'PROVIDER_ERROR',
}

/** The outcome of a run whose provider failed. */
export function failedByProvider({ kind, message }: ProviderError): RunEnd {
  return { type: 'failed', error: { code: CODES[kind], message }, unanswered: true }
}

/** The outcome as the message's metadata names it. */
export function finishReasonOf(outcome: RunEnd): FinishReason {
  switch (outcome.type) {
    case 'finished':
      return outcome.finishReason
    case 'aborted':
      return 'aborted'
    case 'failed':
      return 'error'
  }
}
