import type { Session } from '../../domain/session/session.ts'
import type { ExportLine, ImportLine } from '../../ports/index.ts'
import type { HistoryPorts } from '../apply/perform.ts'
import type { HistoryService } from '../history-service.ts'
import { type BlobLine, storeBlobs, withBlobs } from './blob-lines.ts'
import { importLines } from './import-lines.ts'

/** Carrying a session out and in, a row a line. */
export function createExporting(
  { store, events, clock, keeper }: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
): Pick<HistoryService, 'export' | 'import'> {
  return {
    async *export({ sessionId, format = 'jsonl', files = false }) {
      await requireSession(sessionId)
      const blobs = files ? await store.blobs.ofSession(sessionId) : []
      const lines = withBlobs(store.history.exportRows(sessionId), blobs, keeper)
      yield* format === 'jsonl' ? asLines(lines) : asArray(lines)
    },

    async import(data) {
      const session = await store.history.importRows(
        outsideBin(storeBlobs(importLines(data, clock), keeper, clock)),
      )
      events.publish({ type: 'session-created', sessionId: session.id, session })
      return session
    },
  }
}

/** Only an archive brings sessions into the bin. */
async function* outsideBin(lines: AsyncIterable<ImportLine>): AsyncGenerator<ImportLine> {
  for await (const { deleted_at: _, ...line } of lines) yield line
}

async function* asLines(lines: AsyncIterable<ExportLine | BlobLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`
}

async function* asArray(lines: AsyncIterable<ExportLine | BlobLine>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const line of lines) {
    yield `${before}${JSON.stringify(line)}`
    before = ',\n'
  }
  yield '\n]\n'
}
