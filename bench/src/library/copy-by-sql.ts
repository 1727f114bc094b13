import { DatabaseSync } from 'node:sqlite'
import { LONG_SESSION } from './seed.ts'

/** Copies the long session and its search entries by plain SQL. Returns the milliseconds it took. */
export function copyBySql(database: string, copy: string): number {
  using file = new DatabaseSync(database, { timeout: 10_000 })
  const start = performance.now()
  file.exec('BEGIN IMMEDIATE')
  for (const statement of COPIES) file.prepare(statement).run({ copy, session: LONG_SESSION })
  file.exec('COMMIT')
  return performance.now() - start
}

const COPIES = [
  `INSERT INTO chat_sessions (id, title, agent, model_json, last_seq, created_at, updated_at)
   SELECT :copy, title, agent, model_json, last_seq, created_at, updated_at FROM chat_sessions WHERE id = :session`,
  `INSERT INTO chat_messages (id, session_id, seq, role, metadata_json, window_json, created_at, updated_at)
   SELECT :copy || id, :copy, seq, role, metadata_json, window_json, created_at, updated_at
   FROM chat_messages WHERE session_id = :session ORDER BY seq`,
  `INSERT INTO chat_parts (id, message_id, session_id, "index", type, data_json, created_at, updated_at)
   SELECT :copy || p.id, :copy || p.message_id, :copy, p."index", p.type, p.data_json, p.created_at, p.updated_at
   FROM chat_messages m CROSS JOIN chat_parts p ON p.message_id = m.id WHERE m.session_id = :session ORDER BY m.seq`,
  `INSERT INTO search_entries (session_id, message_id)
   SELECT :copy, id FROM chat_messages WHERE session_id = :copy AND :session <> :copy`,
  `INSERT INTO search_index (rowid, session, title, body)
   SELECT e.id, :copy, '', p.data_json ->> '$.text'
   FROM search_entries e CROSS JOIN chat_parts p ON p.message_id = e.message_id
   WHERE e.session_id = :copy AND :session <> :copy`,
]
