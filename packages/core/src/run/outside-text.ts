import { toolNameOf } from '../context/hosted-calls.ts'
import { isSummary } from '../context/model-view.ts'
import { type ChatPart, isOwnCall, isToolPart } from '../domain/message/message.ts'
import type { WatchVerdict } from '../permission/watchdog.ts'
import type { RunState } from './run-state.ts'

/** Tools whose results hold nothing from outside of the workspace and the conversation. Every other tool is outside. */
const INSIDE: ReadonlySet<string> = new Set([
  'todo',
  'question',
  'read',
  'write',
  'edit',
  'glob',
  'grep',
  'skill',
  'memory_write',
  'memory_read',
  'memory_list',
  'memory_delete',
])

type Context = Pick<RunState, 'visible' | 'session'> & {
  thread: Pick<RunState['thread'], 'earlier'>
  recorder: { message: { parts: readonly ChatPart[] } }
}

/**
 * Asks a person where the model has read text from outside: from the web, an MCP server, a command, a subagent, or a
 * summary, which may repeat any of it. Null where it has not.
 */
export function outsideText({ visible, thread, session, recorder }: Context): WatchVerdict | null {
  const parts = [...thread.earlier, ...recorder.message.parts]
  const source =
    parts.map(sourceOf).find((name) => name !== null) ??
    (visible.some(isSummary) ? 'a summary' : null) ??
    ('subagent' in session.metadata ? 'the agent that started this one' : null)
  if (source === null) return null
  const reason = `The model has read text from ${source}, which may want to be remembered. Check that the note is yours.`
  return { action: 'ask', reason }
}

function sourceOf(part: ChatPart): string | null {
  if (!isToolPart(part)) return null
  const name = toolNameOf(part)
  const hasText = part.state === 'output-available' || part.state === 'output-error'
  const isInside = isOwnCall(part) && part.type !== 'dynamic-tool' && INSIDE.has(name)
  return hasText && !isInside ? name : null
}
