import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import type { ChatSession } from '../generated/client.ts'

const COLUMNS = {
  id: 'id',
  title: 'title',
  agent: 'agent',
  workspaceRoot: 'workspace_root',
  workerId: 'worker_id',
  modelJson: 'model_json',
  parentId: 'parent_id',
  parentMessageId: 'parent_message_id',
  permissionsJson: 'permissions_json',
  metadataJson: 'metadata_json',
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  reasoningTokens: 'reasoning_tokens',
  cacheRead: 'cache_read',
  cacheWrite: 'cache_write',
  totalTokens: 'total_tokens',
  contextTokens: 'context_tokens',
  costUsd: 'cost_usd',
  revision: 'revision',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  archivedAt: 'archived_at',
} as const satisfies Record<keyof ChatSession, string>

const WHOLE_ROW = Object.entries(COLUMNS)
  .map(([name, column]) => `${column} AS ${name}`)
  .join(', ')

/** New values of columns; counts grow by what is added. */
export type SessionChanges = {
  title?: string
  modelJson?: string
  metadataJson?: string
  archivedAt?: number | null
  contextTokens?: number
  added?: Partial<Record<Count, number>>
}

type Count =
  | 'promptTokens'
  | 'completionTokens'
  | 'reasoningTokens'
  | 'cacheRead'
  | 'cacheWrite'
  | 'totalTokens'

export async function readSession(queries: ReadQueries, id: string): Promise<ChatSession | undefined> {
  const sql = `SELECT ${WHOLE_ROW} FROM chat_sessions WHERE id = ?`
  return (await queries.$queryRawUnsafe<ChatSession[]>(sql, id))[0]
}

/** The sessions with these ids, in no order. */
export function sessionsByIds(queries: ReadQueries, ids: string[]): Promise<ChatSession[]> {
  const where = 'id IN (SELECT value FROM json_each(?))'
  return queries.$queryRawUnsafe(`SELECT ${WHOLE_ROW} FROM chat_sessions WHERE ${where}`, JSON.stringify(ids))
}

export type NewSessionRow = Pick<
  ChatSession,
  'id' | 'title' | 'agent' | 'workspaceRoot' | 'modelJson' | 'parentId' | 'parentMessageId' | 'metadataJson'
> & { createdAt: number; updatedAt: number }

/** Inserts a session and returns its row; undefined when its id is taken. */
export async function insertSession(
  queries: RawQueries,
  row: NewSessionRow,
): Promise<ChatSession | undefined> {
  const names = Object.keys(row)
  const sql = `INSERT INTO chat_sessions (${names.map(columnOf).join()}) VALUES (${names.map(() => '?').join()})
    ON CONFLICT (id) DO NOTHING RETURNING ${WHOLE_ROW}`
  return (await queries.$queryRawUnsafe<ChatSession[]>(sql, ...Object.values(row)))[0]
}

/** Changes a session at a time, and answers its row; undefined when there is none. */
export async function updateSession(
  queries: RawQueries,
  id: string,
  at: number,
  { added = {}, ...columns }: SessionChanges,
): Promise<ChatSession | undefined> {
  const set = Object.keys(columns).map((name) => `${columnOf(name)} = ?`)
  const grown = Object.keys(added).map((name) => `${columnOf(name)} = ${columnOf(name)} + ?`)
  const sql = `UPDATE chat_sessions SET ${[...set, ...grown, 'updated_at = ?', 'revision = revision + 1'].join()}
    WHERE id = ? RETURNING ${WHOLE_ROW}`
  const values = [...Object.values(columns), ...Object.values(added), at, id]
  return (await queries.$queryRawUnsafe<ChatSession[]>(sql, ...values))[0]
}

function columnOf(name: string): string {
  // Names come from `SessionChanges` and `NewSessionRow` alone, whose keys are columns.
  return COLUMNS[name as keyof typeof COLUMNS]
}
