import type { HistoryDetail, HistoryOperation } from '../../domain/history/history-operation.ts'
import type { Outline } from '../../domain/history/outline.ts'
import { inRanges } from '../../domain/values/seq-ranges.ts'

/** Parts whose outputs a change leaves out of what the model sees, and those that it takes in again. */
export type OutputChange = { prune: string[]; unprune: string[] }

/**
 * What a change of visibility means for the outputs that compactions have left out of their tails: they come back when
 * the summary goes, and go again when it comes back. What was pruned or restored by request meanwhile stays so.
 */
export function planOutputs(
  { operations }: Pick<Outline, 'operations'>,
  detail: Pick<HistoryDetail, 'hidden' | 'shown'>,
): OutputChange {
  const summaries: Summaries = new Map()
  const owned = new Map<string, Owned>()
  const owners = new Map<string, number>()
  for (const operation of operations) note(operation, { summaries, owned, owners })
  move(detail, summaries, null)
  const turned = [...owned.values()].filter(
    ({ pruned, summarySeq }) => pruned !== isInEffect(summarySeq, summaries),
  )
  return {
    prune: turned.filter(({ pruned }) => !pruned).map(({ id }) => id),
    unprune: turned.filter(({ pruned }) => pruned).map(({ id }) => id),
  }
}

/** A part that a compaction decides about, by the place of its summary. */
type Owned = { id: string; summarySeq: number; pruned: boolean }

/** Where summaries are: their own place is what they show, another one's summary holds them, null is out of sight. */
type Summaries = Map<number, number | null>

type Noted = {
  summaries: Summaries
  owned: Map<string, Owned>
  /** The summary of the last compaction that left each part out, whatever was requested since. */
  owners: Map<string, number>
}

function note({ kind, detail }: HistoryOperation, { summaries, owned, owners }: Noted): void {
  const { summarySeq, pointId, partIds = [] } = detail
  if (kind === 'prune' || kind === 'unprune') for (const id of partIds) owned.delete(id)
  // What was requested after the point that is returned to holds no longer.
  for (const id of pointId === undefined ? [] : partIds) {
    const owner = owners.get(id)
    if (owner !== undefined) owned.set(id, { id, summarySeq: owner, pruned: false })
  }
  move(detail, summaries, summarySeq ?? null)
  if (summarySeq !== undefined) summaries.set(summarySeq, summarySeq)
  for (const part of owned.values()) part.pruned = isInEffect(part.summarySeq, summaries)
  if (summarySeq === undefined) return
  for (const id of partIds) {
    owned.set(id, { id, summarySeq, pruned: true })
    owners.set(id, summarySeq)
  }
}

function move(
  { hidden, shown }: Pick<HistoryDetail, 'hidden' | 'shown'>,
  summaries: Summaries,
  into: number | null,
): void {
  for (const seq of summaries.keys()) {
    if (inRanges(hidden, seq)) summaries.set(seq, into)
    if (inRanges(shown, seq)) summaries.set(seq, seq)
  }
}

/** True for a summary that is visible, or replaced by one that is. */
function isInEffect(seq: number, summaries: Summaries): boolean {
  const place = summaries.get(seq) ?? null
  return place !== null && (place === seq || isInEffect(place, summaries))
}
