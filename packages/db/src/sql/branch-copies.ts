import { createId } from '@palimpsest/core/domain'
import type { RawQueries } from '../connect/statements.ts'
import { messageCopies } from '../rows/copied-columns.ts'
import { copyReferences } from './blob-rows.ts'

const COPIED = ['role', 'metadata_json', ...Object.keys(messageCopies({})), 'created_at', 'updated_at']

/** A message that was copied: its new id, and its text parts as they are stored, in order. */
export type CopiedMessage = { id: string; texts: string[] }

type PartRow = { id: string; place: bigint; text: string | null }

/**
 * Copies messages with their parts from one session to the end of another; null when one of the places holds none. Of
 * their bodies only texts leave the database.
 */
export async function copyMessages(
  queries: RawQueries,
  { from, to, seqs, startAt }: { from: string; to: string; seqs: number[]; startAt: number },
): Promise<CopiedMessage[] | null> {
  const { rows, join } = queries.dialect
  const copies = seqs.map((seq, place) => ({ seq, id: createId('msg'), next: startAt + place }))
  const places = JSON.stringify(copies.map(({ seq, id, next }) => [seq, id, next]))
  const written = await queries.$executeRawUnsafe(
    `INSERT INTO chat_messages (id, session_id, seq, ${COPIED.join(', ')})
     SELECT j.value ->> 1, ?, CAST(j.value ->> 2 AS INTEGER), ${COPIED.map((name) => `m.${name}`).join(', ')}
     FROM ${rows} j ${join} chat_messages m ON m.session_id = ? AND m.seq = CAST(j.value ->> 0 AS INTEGER)`,
    to,
    places,
    from,
  )
  if (written < copies.length) return null
  const parts = await queries.$queryRawUnsafe<PartRow[]>(
    `SELECT p.id, j.key AS place, CASE p.type WHEN 'text' THEN p.data_json END AS text
     FROM ${rows} j ${join} chat_messages m ON m.session_id = ? AND m.seq = CAST(j.value ->> 0 AS INTEGER)
     ${join} chat_parts p ON p.message_id = m.id ORDER BY j.key, p."index"`,
    places,
    from,
  )
  const partCopies = parts.map(({ id, place }) => ({ id, copy: createId('prt'), place: Number(place) }))
  await queries.$executeRawUnsafe(
    `INSERT INTO chat_parts (id, message_id, session_id, "index", type, data_json, tool_call_id, tool_state,
       pruned_at, created_at, updated_at)
     SELECT j.value ->> 1, j.value ->> 2, ?, p."index", p.type, p.data_json, p.tool_call_id, p.tool_state,
       p.pruned_at, p.created_at, p.updated_at
     FROM ${rows} j ${join} chat_parts p ON p.id = j.value ->> 0`,
    to,
    JSON.stringify(partCopies.map(({ id, copy, place }) => [id, copy, copies[place]?.id])),
  )
  await copyReferences(
    queries,
    partCopies.map(({ id, copy }) => [id, copy]),
  )
  const textsOf = Map.groupBy(parts, ({ place }) => Number(place))
  return copies.map(({ id }, place) => ({
    id,
    texts: (textsOf.get(place) ?? []).flatMap(({ text }) => text ?? []),
  }))
}

/** Sets what a new branch sums up: its last place, and the usage of its messages. */
export async function sumBranch(queries: RawQueries, sessionId: string, lastSeq: number): Promise<void> {
  await queries.$executeRawUnsafe(
    `UPDATE chat_sessions SET last_seq = ?, prompt_tokens = u.input, completion_tokens = u.output,
       reasoning_tokens = u.reasoning, cache_read = u.cache_read, cache_write = u.cache_write,
       total_tokens = u.input + u.output + u.reasoning + u.cache_read + u.cache_write
     FROM (
       SELECT coalesce(sum(input_tokens), 0) AS input, coalesce(sum(output_tokens), 0) AS output,
         coalesce(sum(reasoning_tokens), 0) AS reasoning, coalesce(sum(cache_read), 0) AS cache_read,
         coalesce(sum(cache_write), 0) AS cache_write
       FROM chat_messages WHERE session_id = ? AND role = 'assistant'
     ) AS u WHERE id = ?`,
    lastSeq,
    sessionId,
    sessionId,
  )
}
