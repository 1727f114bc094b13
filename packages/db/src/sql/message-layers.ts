import {
  type HistoryKind,
  isSteering,
  type MessageLayer,
  messageLayer,
  type StoredMessage,
} from '@palimpsest/core/domain'
import type { ReadQueries } from '../connect/statements.ts'

type HiddenRow = { hiddenAt: number | null; kind: HistoryKind | null }

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
  const layers = new Map<string, MessageLayer>()
  for (const message of messages) {
    const kind = kinds.get(message.hiddenBy ?? '') ?? null
    const hidden = isSteering(message)
      ? await replyRow(queries, message)
      : { hiddenAt: message.hiddenAt, kind }
    layers.set(message.id, layerOf(hidden))
  }
  return layers
}

function layerOf(row: HiddenRow | undefined): MessageLayer {
  return messageLayer(row === undefined || row.hiddenAt === null ? undefined : row.kind)
}

/** How the reply that a message was added to is hidden. */
async function replyRow(
  queries: ReadQueries,
  { sessionId, hiddenBy }: StoredMessage,
): Promise<HiddenRow | undefined> {
  const [row] = await queries.$queryRawUnsafe<HiddenRow[]>(
    `SELECT m.hidden_at AS "hiddenAt", o.kind FROM chat_messages m LEFT JOIN history_ops o ON o.id = m.hidden_by
     WHERE m.session_id = ? AND m.seq IS NOT NULL AND m.role = 'assistant' AND m.run_id = ?
       AND m.compaction_id IS NULL
     ORDER BY m.seq DESC LIMIT 1`,
    sessionId,
    hiddenBy,
  )
  return row
}
