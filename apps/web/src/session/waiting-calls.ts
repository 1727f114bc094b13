import type { Asks } from './asks.ts'

/** The calls of a session that wait for the person, and the sessions of its subagents that do. */
export function waitingCalls(sessionId: string, { permissions, questions }: Asks): ReadonlySet<string> {
  const asks = [...permissions, ...questions]
  return new Set(asks.map((ask) => (ask.sessionId === sessionId ? ask.toolCallId : ask.sessionId)))
}
