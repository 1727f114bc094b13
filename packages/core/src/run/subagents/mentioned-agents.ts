import type { ChatMessage } from '../../domain/message.ts'
import { TASK_TOOL } from '../../tool/task.ts'
import type { Agent } from '../agent.ts'
import type { Reminder } from '../reminder.ts'

/** Subagents of one message that the model is reminded of. */
const MAX_MENTIONED = 5

/** An `@` at the start of a word, and the word without the punctuation at its end. */
const MENTION = /(?<=^|\s)@([^\s@]*[^\s@.,;:!?)\]}"'])/gu

/** The reminder of the subagents that a message names with an `@`; none for an agent that cannot start any. */
export function mentionReminders(
  message: ChatMessage | null,
  { tools }: Pick<Agent, 'tools'>,
  subagents: readonly Pick<Agent, 'id'>[],
): Reminder[] {
  if (message === null || !tools.some(({ id }) => id === TASK_TOOL)) return []
  const known = new Set(subagents.map(({ id }) => id))
  const words = message.parts.flatMap((part) =>
    part.type === 'text' ? [...part.text.matchAll(MENTION)] : [],
  )
  const named = new Set(words.map(([, id = '']) => id).filter((id) => known.has(id)))
  return [...named].slice(0, MAX_MENTIONED).map(toReminder)
}

function toReminder(id: string): Reminder {
  return `The person names the subagent "${id}" with @${id}: give it what this message asks of it, with the tool ${TASK_TOOL}.`
}
