import type { ModelMessage } from 'ai'
import { REMINDER_LIMITS, type Reminder, type SentReminder } from '../domain/message/reminder.ts'
import { LOOP_WARNING } from './doom-loop.ts'

export const CONTINUE_NOTE: Reminder = {
  kind: 'continue',
  text: 'Your last reply was cut short. Go on exactly where it ended, without repeating what is already there.',
}

export const LOOP_NOTE: Reminder = { kind: 'doom-loop', text: LOOP_WARNING }

export function toReminder({ text }: Reminder): ModelMessage {
  return { role: 'user', content: `<reminder>${text}</reminder>` }
}

/** The reminders of a reply with those that its next model call gets; the same list where there is none. */
export function withSent(
  sent: readonly SentReminder[],
  reminders: readonly Reminder[],
  step: number,
): readonly SentReminder[] {
  if (reminders.length === 0) return sent
  return [...sent, ...reminders.map((one) => ({ ...one, step }))].slice(-REMINDER_LIMITS.perReply)
}
