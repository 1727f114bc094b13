import type { OutlineEntry } from '../../domain/history/outline.ts'
import type { ChatMessage, StoredMessage } from '../../domain/message/message.ts'
import type { Session } from '../../domain/session/session.ts'
import { toRanges } from '../../domain/values/seq-ranges.ts'
import type { Store } from '../../ports/index.ts'
import type { CompactionConfig } from '../plan/compaction-config.ts'
import { estimatorIn, measured, measuredNext } from '../plan/measured.ts'
import {
  type CompactionPlan,
  type Measured,
  planCompaction,
  planFromDraft,
  type Summary,
  toTurns,
} from '../plan/plan-compaction.ts'
import type { Estimator } from '../plan/prunable-outputs.ts'
import { type SummarisedMessages, summarisedMessages } from './summarised-messages.ts'

/** A summary of the messages `ids`, in the order in which the model sees them, written before it is needed. */
export type SummaryDraft = { ids: readonly string[]; summary: Summary }

/** The input of a compaction. The bodies of the tail are loaded; those of the summarised messages are read on demand. */
export type Chosen = Extract<CompactionPlan, { type: 'compact' }> & {
  /** The end of what is visible; at least the tail without `next`. */
  newest: readonly StoredMessage[]
  goes: SummarisedMessages
  estimator: Estimator
  next: Measured | null
  /** The summary, if one was written beforehand that can be used. */
  written: Summary | null
}

export type ChooseRequest = {
  session: Session
  usable: number
  config: CompactionConfig
  /** A message about to be sent. */
  next?: ChatMessage
  draft: SummaryDraft | null
  /** Share of the usable window that messages after the draft may take. */
  besideDraft: number
}

/** Divides the visible messages into those to summarise and the tail that stays. Reads only the tail's bodies. */
export async function chooseSummarised(
  { session, usable, config, next, draft, besideDraft }: ChooseRequest,
  store: Store,
): Promise<Chosen | Extract<CompactionPlan, { type: 'refused' }>> {
  const outline = await store.history.outline(session.id)
  const visible = outline.entries.filter(({ hiddenBy }) => hiddenBy === null)
  const estimator = estimatorIn(session, visible)
  const places = visible.map(toPlace)
  const turns = lastTurns(places, config.tail_turns)
  // What has come since a draft may be more than the tail would be.
  const since = draft === null ? null : planFromDraft(places, draft.ids, Number.POSITIVE_INFINITY)
  const end = since !== null && since.tail.length > turns.length ? since.tail : turns
  const { places: all, newest } = await withSizes(session.id, places, end, estimator, store)
  const nextSize = next === undefined ? null : measuredNext(next, estimator)
  if (nextSize !== null) all.push(nextSize)

  const ready = draft === null ? null : planFromDraft(all, draft.ids, besideDraft * usable)
  const plan = ready ?? planCompaction(all, usable, config)
  if (plan.type === 'refused') return plan
  const written = ready === null ? null : (draft?.summary ?? null)
  const goes = summarisedMessages(session.id, plan.summarised, estimator, store)
  return { ...plan, newest, goes, estimator, next: nextSize, written }
}

/** A message by its place, without its size: no body has been read for it. */
export function toPlace({ id, seq, role, compactionId }: OutlineEntry): Measured {
  return { id, seq, role, compactionId, tokens: 0 }
}

/** The last turns among these places. */
export function lastTurns(places: readonly Measured[], count: number): Measured[] {
  const spoken = places.filter(({ compactionId }) => compactionId === null)
  return toTurns(spoken).slice(-count).flat()
}

/** The places, those of `end` with their sizes, and the messages there. */
export async function withSizes(
  sessionId: string,
  places: readonly Measured[],
  end: readonly Measured[],
  estimator: Estimator,
  store: Store,
): Promise<{ places: Measured[]; newest: StoredMessage[] }> {
  const newest = await store.history.messagesAt(sessionId, toRanges(end.map(({ seq }) => seq)))
  const sizes = new Map(newest.map((message) => [message.id, measured(message, estimator)]))
  return { places: places.map((place) => sizes.get(place.id) ?? place), newest }
}
