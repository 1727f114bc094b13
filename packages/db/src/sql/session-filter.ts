import type { SessionCursor } from '@palimpsest/core/domain'
import type { SessionQuery } from '@palimpsest/core/ports'
import type { Dialect } from '../connect/dialect.ts'

/** A condition on `chat_sessions s` with its values. */
export type SessionFilter = { where: string; values: (string | number)[] }

/** A session's place in a list. */
export type SessionPlace = { id: string; updatedAt: number }

/** What a list asks for, but for its search. */
export function sessionFilter(dialect: Dialect, query: SessionQuery): SessionFilter {
  const columns = [
    { condition: 's.parent_id = ?', value: query.parentId },
    { condition: 's.agent = ?', value: query.agent },
    { condition: 's.workspace_root = ?', value: query.workspaceRoot },
  ].flatMap(({ condition, value }) => (value === undefined ? [] : [{ condition, value }]))
  // Of the indexes, that of a named column is better than that of a state.
  const plain = (column: string) => (columns.length > 0 ? dialect.unindexed(column) : column)
  const archived = `${plain('s.archived_at')} IS ${query.archived ? 'NOT NULL' : 'NULL'}`
  const state = query.deleted
    ? `${plain('s.deleted_at')} IS NOT NULL`
    : `${archived} AND ${dialect.unindexed('s.deleted_at')} IS NULL`
  const conditions = [state, ...columns.map(({ condition }) => condition)]
  if (query.parentId === undefined) conditions.push('s.root_id IS NULL')
  if (!query.ephemeral) conditions.push('s.ephemeral = 0')
  return { where: conditions.join(' AND '), values: columns.map(({ value }) => value) }
}

/** Only what comes after the cursor. */
export function after(filter: SessionFilter, cursor: SessionCursor | null): SessionFilter {
  if (cursor === null) return filter
  return {
    where: `${filter.where} AND (s.updated_at, s.id) < (?, ?)`,
    values: [...filter.values, cursor.updatedAt, cursor.id],
  }
}

/** The order of every list: newest first, then by id from the end. */
export const NEWEST_FIRST = 'ORDER BY s.updated_at DESC, s.id DESC'
