import { AppError, type BlobRow, blobsIn, type ChatPart } from '@palimpsest/core/domain'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'

const COLUMNS = ['hash', 'size', 'media_type', 'owner', 'created_at', 'pending_since'] as const
type Row = Record<(typeof COLUMNS)[number], string | number | null>

const UNNAMED = 'NOT EXISTS (SELECT 1 FROM blob_refs r WHERE r.hash = b.hash)'

/** The blobs that a condition on `b` selects. */
async function selectBlobs(
  queries: ReadQueries,
  condition: string,
  ...values: unknown[]
): Promise<BlobRow[]> {
  const names = COLUMNS.map((name) => `b.${name}`).join(', ')
  const rows = await queries.$queryRawUnsafe<Row[]>(
    `SELECT ${names} FROM blobs b WHERE ${condition}`,
    ...values,
  )
  return rows.map(toBlob)
}

export async function blobByHash(queries: ReadQueries, hash: string): Promise<BlobRow | null> {
  return (await selectBlobs(queries, 'b.hash = ?', hash))[0] ?? null
}

/** Which of these hashes have a row. */
export async function knownHashes(queries: ReadQueries, hashes: readonly string[]): Promise<string[]> {
  const { texts, join } = queries.dialect
  const rows = await queries.$queryRawUnsafe<{ hash: string }[]>(
    `SELECT b.hash FROM ${texts} h ${join} blobs b ON b.hash = h.value`,
    JSON.stringify(hashes),
  )
  return rows.map(({ hash }) => hash)
}

/** Blobs that the messages of a session name. */
export function blobsOfSession(queries: ReadQueries, sessionId: string): Promise<BlobRow[]> {
  const { join } = queries.dialect
  return selectBlobs(
    queries,
    `b.hash IN (SELECT r.hash FROM chat_messages m ${join} chat_parts p ON p.message_id = m.id
     ${join} blob_refs r ON r.part_id = p.id WHERE m.session_id = ?) ORDER BY b.hash`,
    sessionId,
  )
}

/** Bytes of the blobs that no message has named since their last upload. */
export async function pendingBytes(queries: ReadQueries): Promise<number> {
  const sql = 'SELECT coalesce(sum(size), 0) AS bytes FROM blobs WHERE pending_since IS NOT NULL'
  const [row] = await queries.$queryRawUnsafe<{ bytes: number }[]>(sql)
  return row?.bytes ?? 0
}

export async function insertBlob(queries: RawQueries, blob: BlobRow): Promise<void> {
  const values = [blob.hash, blob.size, blob.mediaType, blob.owner, blob.createdAt, blob.pendingSince]
  await queries.$executeRawUnsafe(
    `INSERT INTO blobs (${COLUMNS.join(', ')}) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (hash) DO UPDATE SET pending_since = excluded.pending_since`,
    ...values,
  )
}

/** `INVALID_INPUT` when one of these parts names a blob that is not stored: it was removed after a day without a message. */
export async function assertBlobs(queries: ReadQueries, parts: readonly ChatPart[]): Promise<void> {
  const hashes = [...new Set(parts.flatMap(blobsIn))]
  if (hashes.length === 0 || (await knownHashes(queries, hashes)).length === hashes.length) return
  const message = 'A file of this message is no longer stored. Upload it again.'
  throw new AppError('INVALID_INPUT', message, { field: 'message.parts' })
}

/** Notes which blobs a written part names. */
export async function nameBlobs(
  queries: RawQueries,
  { id, data }: { id: string; data: ChatPart },
): Promise<void> {
  const hashes = new Set(blobsIn(data))
  for (const hash of hashes) {
    await queries.$executeRawUnsafe(
      'INSERT INTO blob_refs (part_id, hash) VALUES (?, ?) ON CONFLICT (part_id, hash) DO NOTHING',
      id,
      hash,
    )
    await queries.$executeRawUnsafe('UPDATE blobs SET pending_since = NULL WHERE hash = ?', hash)
  }
}

/** The hashes that the parts of a message name, to be given to `unnamed` once the parts are gone. */
export async function hashesOfMessage(queries: ReadQueries, messageId: string): Promise<string[]> {
  const { join } = queries.dialect
  const rows = await queries.$queryRawUnsafe<{ hash: string }[]>(
    `SELECT DISTINCT r.hash FROM chat_parts p ${join} blob_refs r ON r.part_id = p.id WHERE p.message_id = ?`,
    messageId,
  )
  return rows.map(({ hash }) => hash)
}

/** Lets blobs that no message names any more be pending from `at` on. */
export async function setPending(queries: RawQueries, hashes: readonly string[], at: number): Promise<void> {
  if (hashes.length === 0) return
  await queries.$executeRawUnsafe(
    `UPDATE blobs AS b SET pending_since = ? WHERE b.pending_since IS NULL AND ${UNNAMED}
     AND b.hash IN (SELECT value FROM ${queries.dialect.texts} h)`,
    at,
    JSON.stringify(hashes),
  )
}

/** Deletes those of these blobs that no message names and that no upload keeps. Returns their hashes. */
export async function deleteUnnamed(queries: RawQueries, hashes: readonly string[]): Promise<string[]> {
  const rows = await queries.$queryRawUnsafe<{ hash: string }[]>(
    `DELETE FROM blobs AS b WHERE b.pending_since IS NULL AND ${UNNAMED}
     AND b.hash IN (SELECT value FROM ${queries.dialect.texts} h) RETURNING hash`,
    JSON.stringify(hashes),
  )
  return rows.map(({ hash }) => hash)
}

/** Lets blobs that a message names be pending no longer when their last upload was at `before` or earlier. */
export async function endPending(queries: RawQueries, before: number): Promise<void> {
  await queries.$executeRawUnsafe(
    `UPDATE blobs AS b SET pending_since = NULL WHERE b.pending_since <= ? AND NOT ${UNNAMED}`,
    before,
  )
}

/** Deletes up to `limit` blobs that no message names and that are pending since `before`. Returns their hashes. */
export async function deletePending(queries: RawQueries, before: number, limit: number): Promise<string[]> {
  const rows = await queries.$queryRawUnsafe<{ hash: string }[]>(
    `DELETE FROM blobs WHERE hash IN (SELECT b.hash FROM blobs b
       WHERE b.pending_since <= ? AND ${UNNAMED} ORDER BY b.pending_since LIMIT ?) RETURNING hash`,
    before,
    limit,
  )
  return rows.map(({ hash }) => hash)
}

/** Copies the references of a part to a copy of it. */
export async function copyReferences(
  queries: RawQueries,
  copies: [from: string, to: string][],
): Promise<void> {
  const { rows, join } = queries.dialect
  await queries.$executeRawUnsafe(
    `INSERT INTO blob_refs (part_id, hash) SELECT j.value ->> 1, r.hash
     FROM ${rows} j ${join} blob_refs r ON r.part_id = j.value ->> 0`,
    JSON.stringify(copies),
  )
}

function toBlob(row: Row): BlobRow {
  return {
    hash: String(row.hash),
    size: Number(row.size),
    mediaType: String(row.media_type),
    owner: String(row.owner),
    createdAt: Number(row.created_at),
    pendingSince: row.pending_since === null ? null : Number(row.pending_since),
  }
}
