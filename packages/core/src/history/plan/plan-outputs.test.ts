import { expect, test } from 'vitest'
import type { HistoryDetail, HistoryKind, HistoryOperation } from '../../domain/history/history-operation.ts'
import type { SeqRange } from '../../domain/values/seq-ranges.ts'
import { planOutputs } from './plan-outputs.ts'

const NONE: OutputLists = { prune: [], unprune: [] }
type OutputLists = { prune: string[]; unprune: string[] }

/** Operations in the order in which they happened, each by its kind and detail. */
function happened(...steps: [kind: HistoryKind, detail: Partial<HistoryDetail>][]) {
  const operations: HistoryOperation[] = steps.map(([kind, detail], index) => ({
    id: `op_${index}`,
    sessionId: 's',
    kind,
    detail: { lastSeq: 9, hidden: [], shown: [], ...detail },
    createdAt: index,
  }))
  return { operations }
}

/** A compaction with its summary at 7 that pruned two outputs of its tail. */
const compaction: [HistoryKind, Partial<HistoryDetail>] = [
  'compaction',
  { hidden: [[1, 4]], summarySeq: 7, partIds: ['p', 'q'] },
]
const summary: SeqRange[] = [[7, 7]]
const hides: [HistoryKind, Partial<HistoryDetail>] = ['unrewind', { hidden: summary }]
const shows: [HistoryKind, Partial<HistoryDetail>] = ['unrewind', { shown: summary }]

test('RW-3 outputs that a compaction left out come back with what hides its summary, and go with what shows it', () => {
  expect(planOutputs(happened(compaction), { hidden: summary, shown: [] })).toEqual({
    ...NONE,
    unprune: ['p', 'q'],
  })
  expect(planOutputs(happened(compaction, hides), { hidden: [], shown: summary })).toEqual({
    ...NONE,
    prune: ['p', 'q'],
  })
  expect(planOutputs(happened(compaction, hides, shows), { hidden: summary, shown: [] })).toEqual({
    ...NONE,
    unprune: ['p', 'q'],
  })
})

test('RW-3 a rewind that keeps the summary keeps the outputs as they are', () => {
  expect(planOutputs(happened(compaction), { hidden: [[8, 9]], shown: [[1, 4]] })).toEqual(NONE)
  expect(planOutputs(happened(compaction, hides), { hidden: [[8, 9]], shown: [[1, 4]] })).toEqual(NONE)
})

test('PR-1 an output that was pruned or restored by request stays so when the summary is hidden or shown', () => {
  const restored = happened(compaction, ['unprune', { partIds: ['p'] }])
  expect(planOutputs(restored, { hidden: summary, shown: [] })).toEqual({ ...NONE, unprune: ['q'] })
  const pruned = happened(compaction, hides, ['prune', { partIds: ['q', 'r'] }])
  expect(planOutputs(pruned, { hidden: [], shown: summary })).toEqual({ ...NONE, prune: ['p'] })
  expect(planOutputs(happened(['prune', { partIds: ['p'] }]), { hidden: summary, shown: [] })).toEqual(NONE)
})

/** One that hides the first summary and replaces it. */
const second: [HistoryKind, Partial<HistoryDetail>] = [
  'compaction',
  { hidden: [[5, 7]], summarySeq: 12, partIds: ['r'] },
]

test('CP-7 each of two compactions restores its own outputs', () => {
  const first: SeqRange[] = [[5, 7]]
  const both = happened(compaction, second)
  expect(planOutputs(both, { hidden: [[12, 12]], shown: first })).toEqual({ ...NONE, unprune: ['r'] })
  const taken = happened(compaction, second, ['uncompaction', { hidden: [[12, 12]], shown: first }])
  expect(planOutputs(taken, { hidden: summary, shown: [[1, 4]] })).toEqual({ ...NONE, unprune: ['p', 'q'] })
})

test('RW-4 a rewind behind two compactions restores the outputs that either pruned', () => {
  const rewind: Pick<HistoryDetail, 'hidden' | 'shown'> = { hidden: [[12, 12]], shown: [[1, 6]] }
  expect(planOutputs(happened(compaction, second), rewind).unprune).toEqual(['p', 'q', 'r'])
  const rewound = happened(compaction, second, ['rewind', rewind])
  const back = planOutputs(rewound, { hidden: [[1, 6]], shown: [[12, 12]] })
  expect(back).toEqual({ ...NONE, prune: ['p', 'q', 'r'] })
})
