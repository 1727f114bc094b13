import { DatabaseSync } from 'node:sqlite'

/** The bytes of a store by kind. */
export interface Growth {
  /** Bytes of the parts, as the core passed them to the store. */
  readonly content: number
  /** Bytes of the file, its log folded in. */
  readonly file: number
  /** Bytes by table with its indexes, largest first. */
  readonly tables: readonly { readonly table: string; readonly bytes: number }[]
}

const tables = `
SELECT coalesce(s.tbl_name, d.name) AS "table", sum(d.pgsize) AS bytes
FROM dbstat d LEFT JOIN sqlite_schema s ON s.name = d.name
GROUP BY 1 ORDER BY 2 DESC, 1
`

/** Measures the database file at `path` without changing it, also while its host runs. Throws when there is none. */
export function measureGrowth(path: string): Growth {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const sizes = database.prepare(tables).all()
    return {
      content: Number(
        database.prepare('SELECT total(length(CAST(data_json AS BLOB))) AS n FROM chat_parts').get()?.['n'],
      ),
      file: sizes.reduce((sum, { bytes }) => sum + Number(bytes), 0),
      tables: sizes.map(({ table, bytes }) => ({ table: String(table), bytes: Number(bytes) })),
    }
  } finally {
    database.close()
  }
}
