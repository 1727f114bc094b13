import {
  isObject,
  MEMORY_LIMITS,
  type Memory,
  type MemoryOrigin,
  parseBounded,
} from '@palimpsest/core/domain'
import type { MemoryPlace } from '@palimpsest/core/ports'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'

type Row = {
  id: string
  workspaceRoot: string | null
  name: string
  body: string
  metadata: string
  createdAt: number
  updatedAt: number
}

const columns = (body: string) =>
  `id, workspace_root AS "workspaceRoot", name, ${body} AS body, metadata_json AS metadata,
   created_at AS "createdAt", updated_at AS "updatedAt"`

/** Memories that a condition holds for; a row that was damaged is left out. `bodies: false` reads none. */
export async function readMemories(
  queries: ReadQueries,
  { where, values, bodies = true }: { where: string; values: unknown[]; bodies?: boolean },
): Promise<Memory[]> {
  const sql = `SELECT ${columns(bodies ? 'body' : "''")} FROM memories WHERE ${where}`
  return (await queries.$queryRawUnsafe<Row[]>(sql, ...values)).flatMap((row) => toMemory(row) ?? [])
}

/** The condition for the memories of a place: without a workspace the column is null. */
export function inPlace(place: MemoryPlace): { where: string; values: unknown[] } {
  return place === null
    ? { where: 'workspace_root IS NULL', values: [] }
    : { where: 'workspace_root = ?', values: [place] }
}

export async function countMemories(queries: ReadQueries, place: MemoryPlace): Promise<number> {
  const { where, values } = inPlace(place)
  const sql = `SELECT count(*) AS count FROM memories WHERE ${where}`
  const [row] = await queries.$queryRawUnsafe<{ count: number }[]>(sql, ...values)
  return row?.count ?? 0
}

/** Deletes the row of a name, also one that cannot be read. */
export async function deleteNamed(queries: RawQueries, place: MemoryPlace, name: string): Promise<void> {
  const { where, values } = inPlace(place)
  await queries.$executeRawUnsafe(`DELETE FROM memories WHERE ${where} AND name = ?`, ...values, name)
}

export async function deleteMemory(queries: RawQueries, id: string): Promise<boolean> {
  return (await queries.$executeRawUnsafe('DELETE FROM memories WHERE id = ?', id)) > 0
}

export async function writeMemory(queries: RawQueries, memory: Memory): Promise<void> {
  const { id, workspaceRoot, name, description, type, body, state, origin, createdAt, updatedAt } = memory
  const from = origin && { session_id: origin.sessionId, message_id: origin.messageId }
  const metadata = JSON.stringify({ description, type, state, origin: from })
  await queries.$executeRawUnsafe(
    `INSERT INTO memories (id, workspace_root, name, body, metadata_json, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, body = excluded.body,
       metadata_json = excluded.metadata_json, updated_at = excluded.updated_at`,
    id,
    workspaceRoot,
    name,
    body,
    metadata,
    createdAt,
    updatedAt,
  )
}

function toMemory({ metadata, ...row }: Row): Memory | null {
  const facts = parseBounded(metadata)
  if (!isObject(facts)) return null
  const { description, type, state, origin } = facts
  if (typeof description !== 'string' || typeof type !== 'string') return null
  if (state !== 'accepted' && state !== 'proposed') return null
  if (description.length > MEMORY_LIMITS.description || row.name.length > MEMORY_LIMITS.name) return null
  const scope = row.workspaceRoot === null ? 'user' : 'project'
  return { ...row, scope, description, type, state, origin: toOrigin(origin) }
}

function toOrigin(value: unknown): MemoryOrigin | null {
  if (!isObject(value)) return null
  const { session_id: sessionId, message_id: messageId } = value
  return typeof sessionId === 'string' && typeof messageId === 'string' ? { sessionId, messageId } : null
}
