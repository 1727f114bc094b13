import type { ChatMessage } from '../domain/message/message.ts'
import type { Reminder } from '../domain/message/reminder.ts'
import type { Session } from '../domain/session/session.ts'
import { TASK_TOOL } from '../tool/task.ts'
import type { AgentLookup } from './agent.ts'

/** Subagents of one message that the model is reminded of. */
const MAX_MENTIONED = 5

/** An `@` at the start of a word, and the word without the punctuation around it. */
const MENTION = /(?<=^|[\s([{"'])@([^\s@]*[^\s@.,;:!?)\]}"'])/gu

type MentioningRun = {
  session: Pick<Session, 'workspaceRoot'>
  agent: { tools: readonly { id: string }[] }
  /** The message that started the run. */
  question: ChatMessage | null
}

/** The reminders of the subagents that a message names with an `@`; none for an agent that cannot start any. */
export async function mentionReminders(
  { session, agent, question }: MentioningRun,
  { subagentsIn }: Pick<AgentLookup, 'subagentsIn'>,
): Promise<Reminder[]> {
  const words = wordsOf(question)
  if (words.size === 0 || !agent.tools.some(({ id }) => id === TASK_TOOL)) return []
  const known = new Set((await subagentsIn(session)).map(({ id }) => id))
  return [...words]
    .filter((id) => known.has(id))
    .slice(0, MAX_MENTIONED)
    .map(reminderOf)
}

function wordsOf(message: ChatMessage | null): ReadonlySet<string> {
  const texts = message?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) ?? []
  return new Set(texts.flatMap((text) => [...text.matchAll(MENTION)].map(([, id = '']) => id)))
}

function reminderOf(id: string): Reminder {
  const text = `The person names the subagent "${id}" with @${id}: give it what this message asks of it, with the tool ${TASK_TOOL}.`
  return { kind: 'subagent', text }
}
