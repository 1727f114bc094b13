import { setImmediate } from 'node:timers/promises'
import { AppError } from '@palimpsest/core/domain'
import type { BranchCopy } from '@palimpsest/core/ports'
import type { RawQueries } from '../connect/statements.ts'
import { textOf } from '../rows/text-of.ts'
import { copyMessages, sumBranch } from '../sql/branch-copies.ts'
import { copyBudget } from '../sql/budget-rows.ts'
import { setContext } from '../sql/session-context.ts'
import { addSession } from '../sql/session-rows.ts'
import { indexNewTexts } from '../sqlite/search-index.ts'
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
  if (!(await addSession(queries, session, parent.workerId))) {
    throw new AppError('CONFLICT', 'Another session has this id.')
  }
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
  await sumBranch(queries, session.id, seqs.length)
  await copyBudget(queries, parent.id, session.id)
  await setContext(queries, session.id, copy)
  await noteOperation(queries, operation)
}
