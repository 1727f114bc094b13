import type { TimelineEntry } from '@palimpsest/ui'

/** The state that Restore leads to, and how many messages of it are hidden now. */
export type WayBack = { pointId: string; operationIds: readonly string[]; hidden: number }

/**
 * The way back from a change of the history: to the state before it, or where it only replaced the question that a rewind
 * had left without a reply, to the state before that rewind.
 */
export function wayBack(timeline: readonly TimelineEntry[], entry: TimelineEntry): WayBack {
  const chain = [entry]
  for (const before of timeline.slice(timeline.indexOf(entry) + 1)) {
    const isStep = [entry, before].every(({ kind }) => kind === 'rewind')
    if (!isStep || before.detail.lastSeq !== entry.detail.lastSeq) break
    chain.push(before)
  }
  const { id: pointId, restoresCount: hidden } = chain.at(-1) ?? entry
  return { pointId, operationIds: chain.map(({ id }) => id), hidden }
}
