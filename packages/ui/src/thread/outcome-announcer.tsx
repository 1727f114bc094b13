import type { ChatMessage, SessionStatus } from '@palimpsest/core/domain'
import { useOutcome } from './use-outcome.ts'

export type OutcomeAnnouncerProps = {
  /** The newest message. */
  message: ChatMessage | undefined
  status: SessionStatus
}

/** Announces to screen readers each retry of a run, that it waits for the person, and its outcome when it did not end well. */
export function OutcomeAnnouncer({ message, status }: OutcomeAnnouncerProps) {
  const outcome = useOutcome(message, status)
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {outcome}
    </div>
  )
}
