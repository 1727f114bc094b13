import type { ChatMessage, ChatPart, MessageMetadata } from '../domain/message/message.ts'
import { type NamedFile, REMINDER_LIMITS, type Reminder } from '../domain/message/reminder.ts'
import { sessionMode } from '../domain/permission/permission.ts'
import { rootOf, type Session } from '../domain/session/session.ts'
import { sha256 } from '../domain/values/sha256.ts'
import type { Clock, Store, WorkspaceFiles } from '../ports/index.ts'
import type { StepState } from './after-step.ts'
import type { AgentLookup } from './agent.ts'
import { filesReminder, planReminder, todoReminder } from './due-reminders.ts'
import { mentionReminders } from './mentioned-agents.ts'
import type { Thread } from './read-thread.ts'
import { seenPaths } from './seen-files.ts'

/** Milliseconds after which the files are compared again within one reply. */
const FILES_EVERY_MS = 30_000

type ReminderRun = {
  session: Session
  agent: { tools: readonly { id: string }[] }
  /** The message that started it. */
  question: ChatMessage | null
  continues: boolean
  thread: Pick<Thread, 'seen' | 'reminders'>
  recorder: { readonly message: { parts: readonly ChatPart[]; metadata?: MessageMetadata } }
}

type ReminderPorts = Pick<AgentLookup, 'subagentsIn'> & { store: Store; files: WorkspaceFiles; clock: Clock }

/** What the next model call is reminded of: what the step before has left, and what has changed around the conversation. */
export type RunReminders = (state: StepState) => Promise<readonly Reminder[]>

/**
 * What the model was reminded of is in the metadata of the replies that it sees. So a reminder is not repeated after a restart,
 * goes with a branch, and is due again once its reply is rewound or summarised.
 */
export function createRunReminders(
  run: ReminderRun,
  place: { workspaceRoot: string | null; seen(path: string): string | null },
  { store, files, clock, subagentsIn }: ReminderPorts,
): RunReminders {
  const { seen: earlier, reminders: before } = run.thread
  const writesLists = run.agent.tools.some(({ id }) => id === 'todo')
  let comparedAt: number | null = null

  /** The mode may change during a run; at its start the session has just been read. */
  async function isPlan(step: number): Promise<boolean> {
    const rootId = rootOf(run.session)
    const isRead = step === 1 && rootId === run.session.id
    const root = isRead ? run.session : await store.sessions.get(rootId)
    return sessionMode((root ?? run.session).permissions) === 'plan'
  }

  /** A file as it is now; null for one that cannot be read. */
  async function current(root: string, path: string): Promise<(NamedFile & { seen: string }) | null> {
    const last = place.seen(path)
    if (last === null || path.length > REMINDER_LIMITS.path) return null
    try {
      const bytes = await files.read(root, path)
      return { path, seen: last, stamp: bytes === null ? null : await sha256(bytes) }
    } catch {
      return null
    }
  }

  /** The files that the model has seen, as they are now. */
  async function compared(reply: readonly ChatPart[]): Promise<(NamedFile & { seen: string })[]> {
    const root = place.workspaceRoot
    const at = clock.elapsed()
    if (root === null || (comparedAt !== null && at - comparedAt < FILES_EVERY_MS)) return []
    comparedAt = at
    const now: (NamedFile & { seen: string })[] = []
    for (const path of seenPaths([...earlier, ...reply], REMINDER_LIMITS.files)) {
      const one = await current(root, path)
      if (one !== null) now.push(one)
    }
    return now
  }

  return async ({ step, reminders }) => {
    const { parts, metadata } = run.recorder.message
    const reminded = { before, reply: metadata?.reminders ?? [] }
    if (reminded.reply.length >= REMINDER_LIMITS.perReply) return reminders
    const [plan, now] = await Promise.all([isPlan(step), compared(parts)])
    const due = [
      planReminder(plan, reminded),
      writesLists ? todoReminder(earlier, parts, step, reminded) : null,
      filesReminder(now, reminded),
    ]
    const named = step === 1 && !run.continues ? await mentionReminders(run, { subagentsIn }) : []
    return [...due.filter((one) => one !== null), ...named, ...reminders]
  }
}
