import {
  type ExportRow,
  type ExportRows,
  type ExportRowType,
  exportedIds,
  type Pace,
  withNewIds,
} from '@palimpsest/core/domain'
import { hostPace } from '../connect/host-pace.ts'
import type { RawQueries } from '../connect/statements.ts'
import { storedMessageCopies, storedSessionCopies } from '../rows/copied-columns.ts'
import { textOf } from '../rows/text-of.ts'
import { nameBlobs } from '../sql/blob-rows.ts'
import { holdsAny, insertNew, type TableRow } from '../sql/insert-new.ts'
import { indexNewTexts, type NewText } from '../sqlite/search-index.ts'

/** Ids that are looked for at once. */
const LOOKED_FOR = 500

/** Writes the rows, under new ids when any of theirs is taken; answers the session's id, which is then `copyId` if free. */
export async function importRows(queries: RawQueries, read: ExportRows, copyId?: string): Promise<string> {
  const pace = hostPace()
  const freeId = copyId !== undefined && !(await holdsAny(queries, 'session', [copyId])) ? copyId : undefined
  const rows = (await isTaken(queries, read, pace)) ? await withNewIds(read, freeId, pace) : read
  const { id } = rows.session
  await insertNew(queries, 'session', {
    ...(await keepKnownLinks(queries, rows.session)),
    ...storedSessionCopies(rows.session.metadata_json),
    deleted_at: rows.deletedAt,
    last_seq: rows.messages.reduce((last, { seq }) => Math.max(last, seq ?? 0), 0),
  })
  const messages = { rows: rows.messages, pace }
  await insertAll(queries, 'message', messages, (row) => ({
    ...row,
    ...storedMessageCopies(row.metadata_json),
  }))
  await insertAll(queries, 'part', { rows: rows.parts, pace }, (row) => row)
  for (const { id, type, data_json } of rows.parts) {
    await pace()
    if (type === 'file' || type === 'steering-message')
      await nameBlobs(queries, { id, data: JSON.parse(data_json) })
  }
  const operations = { rows: rows.operations, pace }
  await insertAll(queries, 'history_op', operations, (row, index) => ({ ...row, ordinal: index + 1 }))
  await insertAll(queries, 'system_prompt', { rows: rows.systemPrompts, pace }, (row) => row)
  await indexNewTexts(queries, id, [{ messageId: null, text: rows.session.title }])
  await indexNewTexts(queries, id, messageTexts(rows))
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

async function isTaken(queries: RawQueries, rows: ExportRows, pace: Pace): Promise<boolean> {
  const { sessions, messages, parts, operations } = exportedIds(rows)
  const wanted = [
    ['session', sessions],
    ['message', messages],
    ['part', parts],
    ['history_op', operations],
  ] as const
  for (const [type, ids] of wanted) {
    for (let start = 0; start < ids.length; start += LOOKED_FOR) {
      await pace()
      if (await holdsAny(queries, type, ids.slice(start, start + LOOKED_FOR))) return true
    }
  }
  return false
}

async function insertAll<T extends ExportRowType>(
  queries: RawQueries,
  type: T,
  { rows, pace }: { rows: ExportRow<T>[]; pace: Pace },
  whole: (row: ExportRow<T>, index: number) => TableRow<T>,
): Promise<void> {
  for (const [index, row] of rows.entries()) {
    await pace()
    await insertNew(queries, type, whole(row, index))
  }
}

/** What a search can find of each message that has a place, in order. */
function* messageTexts({ messages, parts }: ExportRows): Generator<NewText> {
  const texts = Map.groupBy(
    parts.filter(({ type }) => type === 'text').sort((a, b) => a.index - b.index),
    (part) => part.message_id,
  )
  const placed = messages.filter(({ seq }) => seq !== null).sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
  for (const { id } of placed) {
    const stored = texts.get(id) ?? []
    yield { messageId: id, text: stored.map(({ data_json }) => textOf(data_json)).join('\n') }
  }
}
