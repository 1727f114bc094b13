import { DatabaseSync } from 'node:sqlite'
import { inRanges, type SeqRange } from '@palimpsest/core/domain'

/** The rows of a database that describe histories. */
export type Histories = {
  sessions: { id: string; parent_id: string | null; context_tokens: number }[]
  messages: { id: string; session_id: string; seq: number; hidden_by: string | null }[]
  parts: { id: string; message_id: string; session_id: string; pruned: number }[]
  operations: { id: string; session_id: string; kind: string; detail: Detail }[]
}

type Detail = { hidden: SeqRange[]; shown: SeqRange[]; part_ids?: string[]; branch_id?: string }

export function readHistories(database: string): Histories {
  using file = new DatabaseSync(database)
  // The columns have the names of the types.
  const rows = <T>(sql: string) => file.prepare(sql).all() as T[]
  return {
    sessions: rows('SELECT id, parent_id, context_tokens FROM chat_sessions ORDER BY id'),
    messages: rows('SELECT id, session_id, seq, hidden_by FROM chat_messages ORDER BY session_id, seq'),
    parts: rows(
      'SELECT id, message_id, session_id, pruned_at IS NOT NULL AS pruned FROM chat_parts ORDER BY message_id, "index"',
    ),
    operations: rows<{ id: string; session_id: string; kind: string; detail_json: string }>(
      'SELECT id, session_id, kind, detail_json FROM history_ops ORDER BY rowid',
    ).map(({ detail_json, ...row }) => ({ ...row, detail: JSON.parse(detail_json) })),
  }
}

/** Differences between the stored rows and the effect of the history operations, in words; empty when there are none. */
export function findInconsistencies(histories: Histories): string[] {
  return histories.sessions.flatMap(({ id }) => inconsistenciesIn(id, histories))
}

function inconsistenciesIn(sessionId: string, { sessions, ...histories }: Histories): string[] {
  const ofSession = <T extends { session_id: string }>(rows: T[]) =>
    rows.filter(({ session_id }) => session_id === sessionId)
  const messages = ofSession(histories.messages)
  const parts = ofSession(histories.parts)
  const operations = ofSession(histories.operations)
  const known = new Set(sessions.map(({ id }) => id))
  const bodies = new Set(parts.map(({ message_id }) => message_id))
  const pruned = prunedBy(operations)
  return [
    ...messages
      .filter(({ seq, hidden_by }) => hiderOf(seq, operations) !== hidden_by)
      .map(({ id, seq, hidden_by }) => `${id} is hidden by ${hidden_by}, not ${hiderOf(seq, operations)}`),
    ...messages.filter(({ id }) => !bodies.has(id)).map(({ id }) => `${id} has lost its parts`),
    ...parts
      .filter((part) => pruned.has(part.id) !== (part.pruned === 1))
      .map((part) => `${part.id} is ${part.pruned === 1 ? '' : 'not '}pruned`),
    ...operations
      .filter(({ kind, detail }) => kind === 'branch' && !known.has(detail.branch_id ?? ''))
      .map(({ id }) => `${id} made a branch that is not there`),
  ]
}

/** The operation that hides a message after all operations. */
function hiderOf(seq: number, operations: Histories['operations']): string | null {
  const last = operations.findLast(
    ({ detail }) => inRanges(detail.hidden, seq) || inRanges(detail.shown, seq),
  )
  return last !== undefined && inRanges(last.detail.hidden, seq) ? last.id : null
}

function prunedBy(operations: Histories['operations']): Set<string> {
  const pruned = new Set<string>()
  for (const { kind, detail } of operations) {
    for (const partId of detail.part_ids ?? []) {
      if (kind.startsWith('un')) pruned.delete(partId)
      else pruned.add(partId)
    }
  }
  return pruned
}
