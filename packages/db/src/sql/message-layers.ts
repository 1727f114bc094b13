import {
  type HistoryKind,
  isSteering,
  type MessageLayer,
  messageLayer,
  replacedBy,
  type StoredMessage,
  type SummaryPlace,
} from '@palimpsest/core/domain'
import type { ReadQueries } from '../connect/statements.ts'
import { type OperationRow, toOperation } from '../rows/operation-row.ts'
import { columnsAs } from './columns.ts'

const OPERATION = columnsAs('history_op', 'o')

type HiddenRow = { seq: number | null; hiddenAt: number | null; kind: HistoryKind | null }

/** The layer of each of these messages; one that was added to a running reply has that of the reply. */
export async function messageLayers(
  queries: ReadQueries,
  messages: readonly StoredMessage[],
): Promise<Map<string, MessageLayer>> {
  const { texts, join } = queries.dialect
  const hiddenBy = messages.flatMap((message) => message.hiddenBy ?? [])
  const rows = await queries.$queryRawUnsafe<{ id: string; kind: HistoryKind }[]>(
    `SELECT o.id, o.kind FROM ${texts} r ${join} history_ops o WHERE o.id = r.value`,
    JSON.stringify([...new Set(hiddenBy)]),
  )
  const kinds = new Map(rows.map(({ id, kind }) => [id, kind]))
  const replaced = new Map<string, (seq: number) => boolean>()
  const layers = new Map<string, MessageLayer>()
  for (const message of messages) {
    const { id, sessionId, seq, hiddenAt } = message
    const kind = kinds.get(message.hiddenBy ?? '') ?? null
    const row = isSteering(message) ? await replyRow(queries, message) : { seq, hiddenAt, kind }
    const hiding = row === undefined || row.hiddenAt === null ? undefined : row.kind
    if (hiding !== undefined && hiding !== 'compaction' && !replaced.has(sessionId))
      replaced.set(sessionId, replacedBy(await summaryPlaces(queries, sessionId)))
    layers.set(id, messageLayer(hiding, replaced.get(sessionId)?.(row?.seq ?? 0) ?? false))
  }
  return layers
}

/** The summaries of a session's compactions. */
async function summaryPlaces(queries: ReadQueries, sessionId: string): Promise<SummaryPlace[]> {
  const { texts, join } = queries.dialect
  const operations = await queries.$queryRawUnsafe<OperationRow[]>(
    `SELECT ${OPERATION} FROM history_ops o WHERE o.session_id = ? AND o.kind = 'compaction'`,
    sessionId,
  )
  const replaces = new Map(
    operations.map((row) => {
      const { detail } = toOperation(row, queries.note)
      return [detail.summaryMessageId ?? '', detail.hidden]
    }),
  )
  const rows = await queries.$queryRawUnsafe<{ id: string; seq: number; hiddenAt: number | null }[]>(
    `SELECT m.id, m.seq, m.hidden_at AS "hiddenAt" FROM ${texts} r ${join} chat_messages m
     WHERE m.id = r.value AND m.seq IS NOT NULL`,
    JSON.stringify([...replaces.keys()]),
  )
  return rows.map(({ id, seq, hiddenAt }) => ({
    seq,
    visible: hiddenAt === null,
    replaces: replaces.get(id) ?? [],
  }))
}

/** How the reply that a message was added to is hidden. */
async function replyRow(
  queries: ReadQueries,
  { sessionId, hiddenBy }: StoredMessage,
): Promise<HiddenRow | undefined> {
  const [row] = await queries.$queryRawUnsafe<HiddenRow[]>(
    `SELECT m.seq, m.hidden_at AS "hiddenAt", o.kind FROM chat_messages m LEFT JOIN history_ops o ON o.id = m.hidden_by
     WHERE m.session_id = ? AND m.seq IS NOT NULL AND m.role = 'assistant' AND m.run_id = ?
       AND m.compaction_id IS NULL
     ORDER BY m.seq DESC LIMIT 1`,
    sessionId,
    hiddenBy,
  )
  return row
}
