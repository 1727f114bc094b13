import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { storedMessageCopies, storedSessionCopies } from '../rows/copied-columns.ts'

type Row = Record<string, unknown> & { id: string; metadata_json: string }

/** Checks each row of a store's file: copied columns equal the JSON, `last_seq` the messages, ordinals are 1 to n. */
export function checkCopies(path: string): void {
  const database = new Database(path, { readonly: true })
  try {
    const sessions = database.prepare<[], Row>('SELECT * FROM chat_sessions').all()
    for (const row of sessions) {
      const { seq } = one(database, 'SELECT max(seq) AS seq FROM chat_messages WHERE session_id = ?', row.id)
      expect(row).toMatchObject({ ...storedSessionCopies(row.metadata_json), last_seq: seq ?? 0 })
      const ops = one(
        database,
        `SELECT count(*) AS n, count(DISTINCT ordinal) AS ordinals, coalesce(min(ordinal), 1) AS first,
           coalesce(max(ordinal), 0) AS last FROM history_ops WHERE session_id = ?`,
        row.id,
      )
      expect(ops).toMatchObject({ ordinals: ops['n'], first: 1, last: ops['n'] })
    }
    for (const row of database.prepare<[], Row>('SELECT * FROM chat_messages').all()) {
      expect(row).toMatchObject(storedMessageCopies(row.metadata_json))
    }
  } finally {
    database.close()
  }
}

function one(database: Database.Database, sql: string, id: string): Record<string, unknown> {
  return database.prepare<[string], Record<string, unknown>>(sql).get(id) ?? {}
}
