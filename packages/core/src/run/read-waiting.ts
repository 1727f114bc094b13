import { AppError } from '../domain/errors.ts'
import { DEFAULT_AGENT_ID, type Session } from '../domain/session/session.ts'
import type { Waiting } from '../state/coordinator.ts'
import type { Agent } from './agent.ts'
import { readAhead } from './read-ahead.ts'
import type { BegunTurn, RunSettings, TurnPorts } from './run-state.ts'

type ResumedTurn = Pick<BegunTurn, 'start' | 'begun' | 'restoreFiles' | 'place' | 'subagents' | 'reply'>

/** Reads a turn whose run waits, as it is resumed; null when its session or reply is gone. */
export async function readWaiting(
  sessionId: string,
  { runId, messageId }: Waiting,
  ports: TurnPorts,
  settings: RunSettings,
): Promise<ResumedTurn | null> {
  const { store } = ports
  const [session, reply] = await Promise.all([
    store.sessions.get(sessionId),
    store.messages.get(sessionId, messageId),
  ])
  if (session === null || reply === null) return null
  const message = await questionOf(sessionId, runId, ports)
  const agent = await agentFor(message?.metadata.agent ?? session.agent, session, ports)
  const model = reply.metadata.model ?? session.model
  const start = { session, runId, trigger: { type: 'existing', change: null }, model, agent } as const
  return {
    start,
    begun: { session, message },
    ...readAhead(session, { plan: null }, ports, settings),
    reply,
  }
}

/** One that is gone, or no longer allowed, ends its turn without tools. */
async function agentFor(id: string, session: Session, ports: TurnPorts): Promise<Agent> {
  try {
    return await ports.agentOf(id, session)
  } catch (error) {
    if (!(error instanceof AppError) || error.field !== 'agent') throw error
    return { ...(await ports.agentOf(DEFAULT_AGENT_ID, session)), tools: [] }
  }
}

/** The message that started the run; null when it continued the conversation as it was. */
async function questionOf(sessionId: string, runId: string, { store }: TurnPorts) {
  const visible = await store.messages.visible(sessionId)
  return visible.findLast(({ role, metadata }) => role === 'user' && metadata.runId === runId) ?? null
}
