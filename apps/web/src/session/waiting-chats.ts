import type { SessionStatus } from '@palimpsest/core/domain'
import { isRunning } from '@palimpsest/core/domain'
import type { Asks } from './asks.ts'

/** A chat with all that it and its subagents wait for. */
export type WaitingChat = { id: string; asks: Asks }

/** What waits for the person, by chat, the chat with the oldest request first. */
export function waitingChats({ permissions, questions }: Asks): WaitingChat[] {
  const all = [...permissions, ...questions].toSorted((a, b) => a.createdAt - b.createdAt)
  return [...new Set(all.map(({ rootSessionId }) => rootSessionId))].map((id) => ({
    id,
    asks: {
      permissions: permissions.filter(({ rootSessionId }) => rootSessionId === id),
      questions: questions.filter(({ rootSessionId }) => rootSessionId === id),
    },
  }))
}

/** Milliseconds from which on a reply counts as long. */
const LONG_MS = 30_000

type Statuses = Readonly<Record<string, SessionStatus>>

/** Sessions whose reply has ended between two states of the list, and took long. One that is only unknown has not ended. */
export function endedLong(before: Statuses, after: Statuses, now: number): string[] {
  return Object.entries(before).flatMap(([id, was]) => {
    const is = after[id]
    if (is === undefined || isRunning(is) || !isRunning(was)) return []
    return now - was.startedAt > LONG_MS ? [id] : []
  })
}
