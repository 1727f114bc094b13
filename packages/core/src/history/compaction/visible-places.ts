import type { StoredMessage } from '../../domain/message.ts'
import type { OutlineEntry } from '../../domain/outline.ts'
import { toRanges } from '../../domain/seq-ranges.ts'
import type { Store } from '../../ports/index.ts'
import type { Estimator } from '../pruning/outputs.ts'
import { measured } from '../window/measured.ts'
import { type Measured, toTurns } from './plan-compaction.ts'

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
