import { searchTerms } from '@palimpsest/core/domain'
import type { SessionQuery } from '@palimpsest/core/ports'
import type { Queries } from '../connect/database.ts'
import { isRare, matchExpression, sessionToken } from './search-index.ts'

/** Parts of a query over `chat_sessions s`; `values` go with `from` first, then with `where`. */
export type SessionFilter = { from: string; where: string; values: string[] }

const NOT_EPHEMERAL = `CASE WHEN json_valid(s.metadata_json) THEN json_extract(s.metadata_json, '$.ephemeral') IS NOT 1 ELSE 1 END`

/** Sessions that hold a rare word are looked up by it; with a common word most sessions do, so each is asked. */
const BY_WORD = `(SELECT DISTINCT e.session_id FROM search_index i CROSS JOIN search_entries e ON e.id = i.rowid
  WHERE search_index MATCH ?) found CROSS JOIN chat_sessions s ON s.id = found.session_id`
const ASKING_EACH = `EXISTS (SELECT 1 FROM search_index i CROSS JOIN search_entries e ON e.id = i.rowid
  WHERE search_index MATCH 'session : "' || ${sessionToken('s.id')} || '" AND ' || ? AND e.session_id = s.id)`

/** What a list asks for. Null: nothing can match. */
export async function sessionFilter(queries: Queries, query: SessionQuery): Promise<SessionFilter | null> {
  const { parentId, agent, workspaceRoot } = query
  const columns = [
    { column: 's.parent_id', value: parentId },
    { column: 's.agent', value: agent },
    { column: 's.workspace_root', value: workspaceRoot },
  ].flatMap(({ column, value }) => (value === undefined ? [] : [{ condition: `${column} = ?`, value }]))
  // The plus keeps the index on `archived_at` out of the way of a better one.
  const archived = `${columns.length > 0 ? '+' : ''}s.archived_at IS ${query.archived ? 'NOT NULL' : 'NULL'}`
  const conditions = [
    archived,
    ...(query.ephemeral ? [] : [NOT_EPHEMERAL]),
    ...columns.map((one) => one.condition),
  ]
  const values = columns.map(({ value }) => value)
  if (query.search === undefined) return { from: 'chat_sessions s', where: conditions.join(' AND '), values }

  const terms = searchTerms(query.search)
  if (terms === null) return null
  const match = matchExpression(terms, ['title', 'body'])
  if (await isRare(queries, match)) {
    return { from: BY_WORD, where: conditions.join(' AND '), values: [match, ...values] }
  }
  return {
    from: 'chat_sessions s',
    where: [...conditions, ASKING_EACH].join(' AND '),
    values: [...values, match],
  }
}
