import type { StorageReport } from '@palimpsest/core/ports'
import type { ReadQueries } from '../connect/statements.ts'

/** The size of the database file, by its pages; its log comes on top until it is written back. */
export async function readStorage(queries: ReadQueries): Promise<StorageReport> {
  const [report] = await queries.$queryRawUnsafe<StorageReport[]>(
    `SELECT page_count * page_size AS bytes, freelist_count * page_size AS "freeBytes",
       (SELECT count(*) FROM chat_sessions WHERE deleted_at IS NOT NULL) AS "inBin"
     FROM pragma_page_count, pragma_page_size, pragma_freelist_count`,
  )
  return report ?? { bytes: 0, freeBytes: 0, inBin: 0 }
}
