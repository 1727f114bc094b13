import { addTokens, type MessageUsage, NO_TOKENS, type StoredMessage } from '@palimpsest/core/domain'
import type { ReportStore, UsageRow } from '@palimpsest/core/ports'
import { atomically, existingSession, isDeleted, type MemoryTables, sizeOf } from './tables.ts'

export function createMemoryReports(tables: MemoryTables): ReportStore {
  return {
    usage: ({ since, until }) =>
      atomically(() => {
        const replies = tables.messages
          .values()
          .filter(({ role, createdAt }) => role === 'assistant' && createdAt >= since && createdAt < until)
          .filter((message) => !isDeleted(tables, message.sessionId) && !isCopy(tables, message))
          .toArray()
        const groups = Map.groupBy(replies, (message) => JSON.stringify([dayOf(message), modelOf(message)]))
        return groups
          .entries()
          .toArray()
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .flatMap(([, messages]) => rowOf(messages))
      }),
    counts: () =>
      atomically(() => {
        const sessions = tables.sessions.values().filter(({ deletedAt }) => deletedAt === null)
        const messages = tables.messages.values().filter(({ sessionId }) => !isDeleted(tables, sessionId))
        return { sessions: sessions.toArray().length, messages: messages.toArray().length }
      }),
    storage: () =>
      atomically(() => ({
        bytes: tables.messages.values().reduce((sum, message) => sum + sizeOf(message), 0),
        freeBytes: 0,
        inBin: [...tables.sessions.values()].filter(({ deletedAt }) => deletedAt !== null).length,
      })),
  }
}

/** A branch's copies are older than the branch, and are counted where they were made. */
function isCopy(tables: MemoryTables, { sessionId, createdAt }: StoredMessage): boolean {
  const session = existingSession(tables, sessionId)
  return session.parentId !== null && createdAt < session.createdAt
}

const dayOf = ({ createdAt }: StoredMessage) => new Date(createdAt).toISOString().slice(0, 10)

function modelOf({ metadata: { model } }: StoredMessage): [string, string, string] | null {
  return model === undefined ? null : [model.providerId, model.modelId, model.variant ?? '']
}

function rowOf(messages: StoredMessage[]): UsageRow[] {
  const [first] = messages
  if (first === undefined) return []
  const usages = messages.flatMap(({ metadata }) => metadata.usage ?? [])
  const usage: MessageUsage = {
    ...usages.reduce(addTokens, NO_TOKENS),
    steps: usages.reduce((sum, { steps }) => sum + steps, 0),
    ...(usages.some(({ unknown }) => unknown) ? { unknown: true } : {}),
  }
  return [{ model: first.metadata.model ?? null, day: dayOf(first), messages: messages.length, usage }]
}
