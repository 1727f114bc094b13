import { AppError, type HistoryOperation } from '@palimpsest/core/domain'
import type { HistoryChange } from '@palimpsest/core/ports'
import type { RawQueries } from '../connect/statements.ts'
import { writeDetail } from '../rows/operation-row.ts'
import { hideMessages, markPruned, showMessages } from '../sql/change-history.ts'
import { setLeftOut } from '../sql/change-metadata.ts'
import { setFormUsed } from '../sql/condensed-forms.ts'
import { insertFileChanges } from '../sql/file-change-rows.ts'
import { insertNew } from '../sql/insert-new.ts'
import { lastSeq } from '../sql/message-rows.ts'
import { nextOrdinal } from '../sql/operation-rows.ts'
import { setContext } from '../sql/session-context.ts'
import { insertMessage, missingMessage } from './stored-messages.ts'

/** Makes the change and notes its operation; touching the session is the caller's. `CONFLICT` when it does not fit any more. */
export async function applyChange(queries: RawQueries, change: HistoryChange): Promise<void> {
  const { operation, insert, prune, unprune, forms = [], files = [] } = change
  const { id, sessionId, detail, createdAt: at } = operation
  const last = await lastSeq(queries, sessionId)
  if (detail.lastSeq !== last || (insert !== null && detail.summarySeq !== last + 1)) {
    throw new AppError('CONFLICT', 'The history has changed since this was planned.')
  }
  for (const form of forms) if (!(await setFormUsed(queries, { sessionId, at, ...form }))) missingMessage()
  await markLeftOut(queries, operation)
  await hideMessages(queries, { sessionId, ranges: detail.hidden, at, by: id })
  await showMessages(queries, { sessionId, ranges: detail.shown, at })
  if (prune.length > 0) await markPruned(queries, { sessionId, partIds: prune, prunedAt: at })
  if (unprune.length > 0) await markPruned(queries, { sessionId, partIds: unprune, prunedAt: null })
  if (insert !== null) await insertMessage(queries, insert, { queuedAt: null, at })
  await noteOperation(queries, operation)
  await insertFileChanges(queries, files)
  await setContext(queries, sessionId, change)
}

async function markLeftOut(
  queries: RawQueries,
  { sessionId, detail: { leftOut = [], broughtBack = [] }, createdAt: at }: HistoryOperation,
): Promise<void> {
  const marks = [
    ...leftOut.map((messageId) => ({ messageId, left: true })),
    ...broughtBack.map((messageId) => ({ messageId, left: false })),
  ]
  for (const { messageId, left } of marks)
    if (!(await setLeftOut(queries, { sessionId, messageId, at }, left))) missingMessage()
}

/** `CONFLICT` when the operation's id is taken. */
export async function noteOperation(queries: RawQueries, operation: HistoryOperation): Promise<void> {
  const { id, sessionId, kind, detail, createdAt } = operation
  const row = {
    id,
    session_id: sessionId,
    kind,
    detail_json: writeDetail(detail),
    created_at: createdAt,
    ordinal: await nextOrdinal(queries, sessionId),
  }
  if (await insertNew(queries, 'history_op', row)) return
  throw new AppError('CONFLICT', 'Another operation has this id.')
}
