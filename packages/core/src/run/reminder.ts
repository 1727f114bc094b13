import type { ModelMessage } from 'ai'

/** A note for the model alone: it enters one call and is not part of the conversation. */
export type Reminder = string

export const CONTINUE_NOTE: Reminder =
  'Your last reply was cut short. Go on exactly where it ended, without repeating what is already there.'

export function toReminder(text: Reminder): ModelMessage {
  return { role: 'user', content: `<reminder>${text}</reminder>` }
}
