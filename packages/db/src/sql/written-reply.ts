import type { ExportRow, StoredPart } from '@palimpsest/core/domain'
import type { ReadQueries } from '../connect/statements.ts'
import { metadataColumns } from '../rows/message-row.ts'
import { isUnreadable, partColumns } from '../rows/part-row.ts'
import { storedMessage } from './placed-messages.ts'
import { withTails, writtenMessageId } from './run-log.ts'

type PartRow = ExportRow<'part'>

/** How the rows of a reply that is being written differ from what its run's log adds to them. */
export type WrittenReply = {
  id: string
  seq: number
  metadata: Partial<ExportRow<'message'>>
  /** Parts that have grown, by id. */
  grown: ReadonlyMap<string, Partial<PartRow>>
  /** Parts that have no row yet. */
  added: PartRow[]
}

/** The reply that the session's run is writing; null when its rows hold all of it. */
export async function readWrittenReply(
  queries: ReadQueries,
  sessionId: string,
): Promise<WrittenReply | null> {
  const messageId = await writtenMessageId(queries, sessionId)
  const stored = messageId === null ? null : await storedMessage(queries, sessionId, messageId)
  const [joined] = stored === null ? [] : await withTails(queries, [stored])
  if (stored === null || stored.seq === null || joined === undefined || joined === stored) return null
  const changed = joined.parts.filter(
    ({ data }, index) => data !== stored.parts[index]?.data && !isUnreadable(data),
  )
  const known = new Set(stored.parts.map(({ id }) => id))
  const { metadata, createdAt: created_at, updatedAt: updated_at } = joined
  const row = (part: StoredPart) => ({
    id: part.id,
    message_id: joined.id,
    session_id: sessionId,
    index: part.index,
    ...toColumns(part),
    pruned_at: null,
    created_at,
    updated_at,
  })
  return {
    id: stored.id,
    seq: stored.seq,
    metadata: metadata === stored.metadata ? {} : { metadata_json: metadataColumns(metadata).metadata_json },
    grown: new Map(changed.filter(({ id }) => known.has(id)).map((part) => [part.id, toColumns(part)])),
    added: changed.filter(({ id }) => !known.has(id)).map(row),
  }
}

function toColumns({ data }: StoredPart) {
  const { type, dataJson, toolCallId, toolState } = partColumns(data)
  return { type, data_json: dataJson, tool_call_id: toolCallId, tool_state: toolState }
}
