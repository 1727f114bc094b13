import type { ExportRow } from '@palimpsest/core/domain'
import type { RawQueries } from '../connect/statements.ts'

/** The session's row without its parent or its worker when this store has none with that id. */
export async function keepKnownLinks(
  queries: RawQueries,
  row: ExportRow<'session'>,
): Promise<ExportRow<'session'>> {
  const [known] = await queries.$queryRawUnsafe<{ parent: bigint; worker: bigint }[]>(
    `SELECT EXISTS (SELECT 1 FROM chat_sessions WHERE id = ?) AS parent,
       EXISTS (SELECT 1 FROM workers WHERE id = ?) AS worker`,
    row.parent_id,
    row.worker_id,
  )
  return {
    ...row,
    parent_id: known?.parent ? row.parent_id : null,
    parent_message_id: known?.parent ? row.parent_message_id : null,
    worker_id: known?.worker ? row.worker_id : null,
  }
}
