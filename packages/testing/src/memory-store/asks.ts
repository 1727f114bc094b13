import { AppError, type Ask, type AskReply } from '@palimpsest/core/domain'
import type { AskStore } from '@palimpsest/core/ports'
import { atomically, copy, type MemoryTables } from './tables.ts'

export function createMemoryAsks(tables: MemoryTables): AskStore {
  return {
    get: (askId) => atomically(() => tables.asks.get(askId) ?? null),
    open: (sessionId) =>
      atomically(() =>
        openAsks(
          tables,
          (ask) => sessionId === null || ask.sessionId === sessionId || ask.rootSessionId === sessionId,
        ),
      ),
    ofRun: (runId) => atomically(() => [...tables.asks.values()].filter((ask) => ask.runId === runId)),
    reply: (askId, reply) => atomically(() => replyToAsk(tables, askId, reply)),
  }
}

/** Of two replies the first one counts. */
export function replyToAsk(tables: MemoryTables, askId: string, reply: AskReply): Ask {
  const ask = tables.asks.get(askId)
  if (ask === undefined) throw new AppError('INVALID_INPUT', 'Nothing was asked under this id.')
  if (ask.reply !== null) throw new AppError('CONFLICT', 'This has been answered already.')
  ask.reply = copy(reply)
  return ask
}

export function openAsks(tables: MemoryTables, matches: (ask: Ask) => boolean): Ask[] {
  return [...tables.asks.values()].filter((ask) => ask.reply === null && matches(ask))
}

export function cancelAsks(tables: MemoryTables, runId: string): void {
  for (const ask of openAsks(tables, (open) => open.runId === runId)) ask.reply = { type: 'cancelled' }
}
