import { skillsOf } from '../context/loaded-skills.ts'
import { buildModelView, isLeftOut, isSummary, type ModelView } from '../context/model-view.ts'
import { createPace, eachAtPace } from '../domain/async/pace.ts'
import { type ChatPart, isToolPart, type StoredMessage } from '../domain/message/message.ts'
import type { SentReminder } from '../domain/message/reminder.ts'
import type { Clock } from '../ports/index.ts'

/** What a run reads of the visible messages before its reply. */
export type Thread = {
  view: ModelView
  /** Calls, the beginnings of steps and summaries. */
  earlier: readonly ChatPart[]
  /** The same of messages that are neither left out nor summaries. */
  seen: readonly ChatPart[]
  /** Of these messages. */
  reminders: readonly SentReminder[]
  /** Names of the skills whose bodies the model sees. */
  skills: ReadonlySet<string>
}

/** Reads all visible messages in one loop. A short conversation is read before the call returns. */
export function readThread(
  visible: readonly StoredMessage[],
  clock: Pick<Clock, 'elapsed' | 'turn'>,
): Thread | Promise<Thread> {
  const building = buildModelView()
  const gathered: Gathered = { earlier: [], seen: [], reminders: [], skills: new Set() }
  const reading = eachAtPace(visible, createPace(clock), (message) => {
    building.add(message)
    gather(message, gathered)
  })
  const thread = () => ({ view: building.view(), ...gathered })
  return reading === undefined ? thread() : reading.then(thread)
}

type Gathered = { earlier: ChatPart[]; seen: ChatPart[]; reminders: SentReminder[]; skills: Set<string> }

function gather(message: StoredMessage, { earlier, seen, reminders, skills }: Gathered): void {
  const left = isLeftOut(message)
  const spoken = !left && !isSummary(message)
  for (const data of message.parts.map((part) => part.data).filter(isReadAgain)) {
    earlier.push(data)
    if (spoken) seen.push(data)
  }
  for (const name of left ? [] : skillsIn(message)) skills.add(name)
  for (const reminder of spoken ? (message.metadata.reminders ?? []) : []) reminders.push(reminder)
}

/** Names of the skills whose bodies a message brings. */
function skillsIn({ parts }: StoredMessage): string[] {
  const whole = parts.filter(({ prunedAt }) => prunedAt === null)
  return whole.flatMap(({ data }) => skillsOf(data)).map(({ name }) => name)
}

function isReadAgain(part: ChatPart): boolean {
  return isToolPart(part) || part.type === 'step-start' || part.type === 'data-compaction'
}
