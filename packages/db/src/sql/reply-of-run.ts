import type { StoredMessage } from '@palimpsest/core/domain'
import type { RunLease } from '@palimpsest/core/ports'
import type { ReadQueries } from '../connect/statements.ts'
import { messagesInRanges } from './placed-messages.ts'

/** The summary of a compaction is no run's reply. */
const REPLY = `SELECT seq FROM chat_messages
  WHERE session_id = ? AND seq IS NOT NULL AND role = 'assistant' AND run_id = ?
    AND compaction_id IS NULL
  ORDER BY seq DESC LIMIT 1`

/** The message that a run writes, or null while it has written nothing. */
export async function replyOfRun(
  queries: ReadQueries,
  { sessionId, runId }: Pick<RunLease, 'sessionId' | 'runId'>,
): Promise<StoredMessage | null> {
  const [row] = await queries.$queryRawUnsafe<{ seq: number }[]>(REPLY, sessionId, runId)
  if (row === undefined) return null
  const seq = Number(row.seq)
  const [message] = await messagesInRanges(queries, sessionId, [[seq, seq]])
  return message ?? null
}
