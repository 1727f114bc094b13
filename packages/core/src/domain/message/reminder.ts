/** What a reminder is about. */
export const REMINDER_KINDS = [
  'continue',
  'doom-loop',
  'todo',
  'plan-entered',
  'plan-left',
  'files',
  'subagent',
] as const

export type ReminderKind = (typeof REMINDER_KINDS)[number]

/** A file as a reminder has named it: the SHA-256 of its bytes, null for one that is gone. */
export type NamedFile = { path: string; stamp: string | null }

/** A note for the model alone: it enters one model call and is not part of the conversation. */
export type Reminder = {
  kind: ReminderKind
  text: string
  /** The call whose list it is about. */
  about?: string
  files?: NamedFile[]
}

/** A reminder as the reply keeps it: with the step whose model call had it, from 1. */
export type SentReminder = Reminder & { step: number }

/** Reminders that one reply keeps, files that one names, and characters of its text and of a path. */
export const REMINDER_LIMITS = { perReply: 100, files: 50, characters: 8_000, path: 4_096 }
