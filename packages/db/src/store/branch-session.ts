import { setImmediate } from 'node:timers/promises'
import { AppError } from '@palimpsest/core/domain'
import type { BranchCopy, NewSession } from '@palimpsest/core/ports'
import type { RawQueries } from '../connect/statements.ts'
import { writeModel, writeSessionMetadata } from '../rows/session-row.ts'
import { textOf } from '../rows/text-of.ts'
import { copyMessages, sumSessionUsage } from '../sqlite/branch-copies.ts'
import { insertNew } from '../sqlite/insert-rows.ts'
import { indexNewTexts } from '../sqlite/search-index.ts'
import { setContext } from '../sqlite/session-context.ts'
import { noteOperation } from './apply-change.ts'

/** Messages that are copied at once, with others served in between. */
const BATCH = 250

/** Writes the branch. `CONFLICT` when the parent has no message at one of the places, or when an id is taken. */
export async function branchSession(
  queries: RawQueries,
  parent: { id: string; workerId: string | null },
  copy: BranchCopy,
): Promise<void> {
  const { session, seqs, operation } = copy
  await insertSession(queries, session, parent.workerId)
  await indexNewTexts(queries, session.id, [{ messageId: null, text: session.title }])
  for (let start = 0; start < seqs.length; start += BATCH) {
    const some = seqs.slice(start, start + BATCH)
    const place = { from: parent.id, to: session.id, seqs: some, startAt: start + 1 }
    const copies = await copyMessages(queries, place)
    if (copies === null) throw new AppError('CONFLICT', 'The history has changed since this was planned.')
    const texts = copies.map(({ id, texts }) => ({ messageId: id, text: texts.map(textOf).join('\n') }))
    await indexNewTexts(queries, session.id, texts)
    await setImmediate()
  }
  await sumSessionUsage(queries, session.id)
  await setContext(queries, session.id, copy)
  await noteOperation(queries, operation)
}

async function insertSession(
  queries: RawQueries,
  session: NewSession,
  workerId: string | null,
): Promise<void> {
  const made = await insertNew(queries, 'session', {
    id: session.id,
    title: session.title,
    agent: session.agent,
    workspace_root: session.workspaceRoot,
    worker_id: workerId,
    model_json: writeModel(session.model),
    parent_id: session.parentId,
    parent_message_id: session.parentMessageId,
    permissions_json: '[]',
    metadata_json: writeSessionMetadata(session.metadata),
    prompt_tokens: 0,
    completion_tokens: 0,
    reasoning_tokens: 0,
    cache_read: 0,
    cache_write: 0,
    total_tokens: 0,
    context_tokens: 0,
    cost_usd: 0,
    revision: 0,
    created_at: session.at,
    updated_at: session.at,
    archived_at: null,
  })
  if (!made) throw new AppError('CONFLICT', 'Another session has this id.')
}
