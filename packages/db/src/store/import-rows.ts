import { setImmediate } from 'node:timers/promises'
import {
  type ExportRow,
  type ExportRows,
  type ExportRowType,
  exportedIds,
  withNewIds,
} from '@palimpsest/core/domain'
import type { RawQueries } from '../connect/statements.ts'
import { storedMessageCopies, storedSessionCopies } from '../rows/copied-columns.ts'
import { textOf } from '../rows/text-of.ts'
import { nameBlobs } from '../sql/blob-rows.ts'
import { holdsAny, insertNew, type TableRow } from '../sql/insert-new.ts'
import { indexNewTexts } from '../sqlite/search-index.ts'

/** Rows that are written at once, with other work of the host in between. */
const BATCH = 500

/** Writes the rows, under new ids when any of theirs is taken; answers the session's id, which is then `copyId` if free. */
export async function importRows(queries: RawQueries, read: ExportRows, copyId?: string): Promise<string> {
  const freeId = copyId !== undefined && !(await holdsAny(queries, 'session', [copyId])) ? copyId : undefined
  const rows = (await isTaken(queries, read)) ? withNewIds(read, freeId) : read
  const { id } = rows.session
  await insertNew(queries, 'session', {
    ...(await keepKnownLinks(queries, rows.session)),
    ...storedSessionCopies(rows.session.metadata_json),
    deleted_at: rows.deletedAt,
    last_seq: rows.messages.reduce((last, { seq }) => Math.max(last, seq ?? 0), 0),
  })
  await insertAll(queries, 'message', rows.messages, (row) => ({
    ...row,
    ...storedMessageCopies(row.metadata_json),
  }))
  await insertAll(queries, 'part', rows.parts, (row) => row)
  for (const { id, type, data_json } of rows.parts) {
    if (type === 'file' || type === 'steering-message')
      await nameBlobs(queries, { id, data: JSON.parse(data_json) })
  }
  await insertAll(queries, 'history_op', rows.operations, (row, index) => ({ ...row, ordinal: index + 1 }))
  await insertAll(queries, 'system_prompt', rows.systemPrompts, (row) => row)
  await indexNewTexts(queries, id, [{ messageId: null, text: rows.session.title }])
  for (const some of batches(messageTexts(rows))) {
    const texts = some.map(({ messageId, stored }) => ({ messageId, text: stored.map(textOf).join('\n') }))
    await indexNewTexts(queries, id, texts)
    await setImmediate()
  }
  return id
}

/** The session's row without its parent or its worker when this store has none with that id. */
async function keepKnownLinks(queries: RawQueries, row: ExportRow<'session'>): Promise<ExportRow<'session'>> {
  const [known] = await queries.$queryRawUnsafe<{ parent: bigint; worker: bigint }[]>(
    `SELECT EXISTS (SELECT 1 FROM chat_sessions WHERE id = ?) AS parent,
       EXISTS (SELECT 1 FROM workers WHERE id = ?) AS worker`,
    row.parent_id,
    row.worker_id,
  )
  return {
    ...row,
    parent_id: known?.parent ? row.parent_id : null,
    parent_message_id: known?.parent ? row.parent_message_id : null,
    worker_id: known?.worker ? row.worker_id : null,
  }
}

async function isTaken(queries: RawQueries, rows: ExportRows): Promise<boolean> {
  const { sessions, messages, parts, operations } = exportedIds(rows)
  return (
    (await holdsAny(queries, 'session', sessions)) ||
    (await holdsAny(queries, 'message', messages)) ||
    (await holdsAny(queries, 'part', parts)) ||
    (await holdsAny(queries, 'history_op', operations))
  )
}

async function insertAll<T extends ExportRowType>(
  queries: RawQueries,
  type: T,
  rows: ExportRow<T>[],
  whole: (row: ExportRow<T>, index: number) => TableRow<T>,
): Promise<void> {
  let index = 0
  for (const some of batches(rows)) {
    for (const row of some) await insertNew(queries, type, whole(row, index++))
    await setImmediate()
  }
}

/** What a search can find of each message that has a place, in order. */
function messageTexts({ messages, parts }: ExportRows): { messageId: string; stored: string[] }[] {
  const texts = Map.groupBy(
    parts.filter(({ type }) => type === 'text').sort((a, b) => a.index - b.index),
    (part) => part.message_id,
  )
  return messages
    .filter(({ seq }) => seq !== null)
    .sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
    .map(({ id }) => ({ messageId: id, stored: (texts.get(id) ?? []).map((part) => part.data_json) }))
}

function* batches<T>(rows: T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += BATCH) yield rows.slice(start, start + BATCH)
}
