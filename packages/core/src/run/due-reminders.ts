import { toolNameOf } from '../context/hosted-calls.ts'
import { isObject } from '../domain/json/stored-keys.ts'
import { type ChatPart, isOwnCall, isToolPart } from '../domain/message/message.ts'
import {
  type NamedFile,
  REMINDER_LIMITS,
  type Reminder,
  type SentReminder,
} from '../domain/message/reminder.ts'

/** Steps of one reply without a change of the list after which an unfinished list is recalled. */
const STALE_STEPS = 10
/** Tasks that a reminder lists, and characters of each. */
const LISTED = 20
const TASK_CHARACTERS = 200

export const PLAN_ENTERED: Reminder = {
  kind: 'plan-entered',
  text:
    'This chat is in plan mode now: changes of files and commands that change anything are refused. ' +
    'Read and search, then present a plan for the person to decide about.',
}

export const PLAN_LEFT: Reminder = {
  kind: 'plan-left',
  text: 'This chat has left plan mode: changes and commands are possible again, as far as permissions allow.',
}

/** What the model was reminded of in what it sees: before the reply, and in the reply. */
export type Reminded = { before: readonly SentReminder[]; reply: readonly SentReminder[] }

/** That plan mode was entered or left since the model was last reminded of it. */
export function planReminder(isPlan: boolean, { before, reply }: Reminded): Reminder | null {
  const last = [...before, ...reply].findLast(({ kind }) => kind === 'plan-entered' || kind === 'plan-left')
  const wasPlan = last?.kind === 'plan-entered'
  if (isPlan === wasPlan) return null
  return isPlan ? PLAN_ENTERED : PLAN_LEFT
}

/**
 * An unfinished list of tasks: once for each list at the first step of a turn, and once in a reply whose last ten steps have not
 * changed it.
 */
export function todoReminder(
  earlier: readonly ChatPart[],
  reply: readonly ChatPart[],
  step: number,
  reminded: Reminded,
): Reminder | null {
  const own = reply.findLastIndex(isList)
  const part = own === -1 ? earlier.findLast(isList) : reply[own]
  if (part === undefined || !isToolPart(part)) return null
  const about = part.toolCallId
  const open = openTasks(part)
  const isAbout = (one: SentReminder) => one.kind === 'todo' && one.about === about
  if (open.length === 0 || reminded.reply.some(isAbout)) return null
  const since = reply.slice(own + 1).filter(({ type }) => type === 'step-start').length
  const isDue = since >= STALE_STEPS || (step === 1 && !reminded.before.some(isAbout))
  return isDue ? { kind: 'todo', about, text: describeTasks(open) } : null
}

/** Files that are not as the model has last read or written them, but for those that it was reminded of as they are now. */
export function filesReminder(
  now: readonly (NamedFile & { seen: string })[],
  { before, reply }: Reminded,
): Reminder | null {
  const named = [...before, ...reply].flatMap(({ files = [] }) => files)
  const changed = now.filter(
    ({ path, stamp, seen }) =>
      stamp !== seen && !named.some((one) => one.path === path && one.stamp === stamp),
  )
  if (changed.length === 0) return null
  const lines = changed.map(
    ({ path, stamp }) => `- ${JSON.stringify(path)}${stamp === null ? ' is gone' : ''}`,
  )
  const intro =
    'These files are no longer as you have last read or written them: a person, a command or another program has changed ' +
    'them. Read one again before you rely on its content or change it.'
  return {
    kind: 'files',
    text: bounded([intro, ...lines]),
    files: changed.map(({ path, stamp }) => ({ path, stamp })),
  }
}

function isList(part: ChatPart): boolean {
  return isOwnCall(part) && part.state === 'output-available' && toolNameOf(part) === 'todo'
}

type Task = { content: string; status: string }

/** The tasks of a list that are not done; an imported call may hold anything in their place. */
function openTasks(part: Extract<ChatPart, { toolCallId: string }>): Task[] {
  const { input } = part
  const todos = isObject(input) && Array.isArray(input['todos']) ? input['todos'] : []
  return todos.flatMap((todo: unknown) => {
    if (!isObject(todo)) return []
    const { content, status } = todo
    if (typeof content !== 'string' || typeof status !== 'string' || status === 'completed') return []
    return [{ content, status }]
  })
}

function describeTasks(open: readonly Task[]): string {
  const lines = open
    .slice(0, LISTED)
    .map(({ content, status }) => `- ${content.slice(0, TASK_CHARACTERS)} (${status.slice(0, 20)})`)
  const more = open.length > LISTED ? [`- and ${open.length - LISTED} more`] : []
  const intro =
    'Your list of tasks has tasks that are not done. Go on with them where they are still wanted, and update the list with ' +
    '`todo` as you finish each or drop it.'
  return bounded([intro, ...lines, ...more])
}

/** The lines within the limit of a reminder, and without what would end it. */
function bounded(lines: readonly string[]): string {
  const text = lines.join('\n').replaceAll('</', '< /')
  return text.slice(0, REMINDER_LIMITS.characters).toWellFormed()
}
