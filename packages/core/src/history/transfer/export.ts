import type { Session } from '../../domain/session.ts'
import type { ExportLine } from '../../ports/index.ts'
import type { HistoryService } from '../history-service.ts'
import type { HistoryPorts } from '../operation/perform.ts'
import { importLines } from './import-lines.ts'
import { withKnownAgents } from './known-agents.ts'

/** Carrying a session out and in, a row a line. */
export function createExporting(
  { store, events, agents, clock }: HistoryPorts & { agents: ReadonlyMap<string, unknown> },
  requireSession: (id: string) => Promise<Session>,
): Pick<HistoryService, 'export' | 'import'> {
  return {
    async *export({ sessionId, format = 'jsonl' }) {
      await requireSession(sessionId)
      const lines = store.history.exportRows(sessionId)
      yield* format === 'jsonl' ? asLines(lines) : asArray(lines)
    },

    async import(data) {
      const session = await store.history.importRows(withKnownAgents(importLines(data, clock), agents))
      events.publish({ type: 'session-created', sessionId: session.id, session })
      return session
    },
  }
}

async function* asLines(lines: AsyncIterable<ExportLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`
}

async function* asArray(lines: AsyncIterable<ExportLine>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const line of lines) {
    yield `${before}${JSON.stringify(line)}`
    before = ',\n'
  }
  yield '\n]\n'
}
