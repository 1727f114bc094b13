import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HistoryDetail, HistoryKind } from '../../domain/history/history-operation.ts'
import type { Outline, OutlineEntry } from '../../domain/history/outline.ts'
import { inRanges } from '../../domain/values/seq-ranges.ts'
import { lastRewind, planRewind, planUnrewind } from '../plan/plan-rewind.ts'
import { viewAt, visibleNow } from '../plan/view.ts'
import { planBranch } from './branch.ts'

test('RW-1 a rewind keeps its message and hides what comes after it', () => {
  const outline = conversation(3)
  expect(planRewind(outline, 'm3', { replace: false })).toMatchObject({ hidden: [[4, 6]], shown: [] })
})

test('RW-2 a rewind for an edited message hides that message too', () => {
  expect(planRewind(conversation(3), 'm3', { replace: true })).toMatchObject({ hidden: [[3, 6]] })
})

test('RW-3 un-rewind hides the turns made since, and un-rewind again brings them back', () => {
  const rewound = perform(conversation(3), 'rewind', planRewind(conversation(3), 'm3', { replace: true }))
  const continued = addTurn(rewound)
  const restored = perform(continued, 'unrewind', planUnrewind(continued))
  expect([...visibleNow(restored)]).toEqual([1, 2, 3, 4, 5, 6])
  const back = perform(restored, 'unrewind', planUnrewind(restored))
  expect([...visibleNow(back)]).toEqual([...visibleNow(continued)])
})

test('RW-4 a rewind into what a compaction summarised shows it up to the target and hides the summary', () => {
  const compacted = compact(conversation(4), 7)
  expect([...visibleNow(compacted)]).toEqual([7, 8, 9])
  const rewound = perform(compacted, 'rewind', planRewind(compacted, 'm3', { replace: false }))
  expect([...visibleNow(rewound)]).toEqual([1, 2, 3])
})

test('RW-4 a rewind inside the tail of a compaction keeps the summary', () => {
  const compacted = compact(conversation(4), 5)
  const rewound = perform(compacted, 'rewind', planRewind(compacted, 'm5', { replace: false }))
  expect([...visibleNow(rewound)]).toEqual([5, 9])
})

test('RW-6 a rewind to an unknown or an assistant message is refused', () => {
  expect(() => planRewind(conversation(1), 'other', { replace: false })).toThrow('no such message')
  expect(() => planRewind(conversation(1), 'm2', { replace: false })).toThrow('user message')
})

test('BR-6 a branch from inside the summarised part copies what was summarised up to there', () => {
  expect(planBranch(compact(conversation(4), 7), 'm4')).toEqual([1, 2, 3, 4])
})

test('BR-6 a branch from the tail of a compaction holds the summary first', () => {
  expect(planBranch(compact(conversation(4), 5), 'm6')).toEqual([9, 5, 6])
})

test('RW-3 rewind then un-rewind is the identity on what is visible, whatever came before', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: 25 }), fc.nat(40), (steps, pick) => {
      const outline = steps.reduce(wander, conversation(3))
      const users = outline.entries.filter(({ role }) => role === 'user')
      const target = users[pick % users.length] as OutlineEntry
      const detail = planRewind(outline, target.id, { replace: false })
      const rewound = perform(outline, 'rewind', detail)
      expect(visibleNow(rewound)).toEqual(viewAt(outline, target))
      if (detail.hidden.length + detail.shown.length === 0) return
      expect(visibleNow(perform(rewound, 'unrewind', planUnrewind(rewound)))).toEqual(visibleNow(outline))
    }),
  )
})

let operations = 0

function wander(outline: Outline, step: number): Outline {
  const users = outline.entries.filter(({ role }) => role === 'user')
  const target = users[(step * 7) % users.length] as OutlineEntry
  if (step < 2) return addTurn(outline)
  if (step < 4) return perform(outline, 'rewind', planRewind(outline, target.id, { replace: step === 2 }))
  if (step === 4)
    return lastRewind(outline) === null ? outline : perform(outline, 'unrewind', planUnrewind(outline))
  const visible = outline.entries.filter(
    ({ hiddenBy, compactionId }) => hiddenBy === null && compactionId === null,
  )
  const tail = visible[Math.floor(visible.length / 2)]
  return visible.length < 4 || tail === undefined ? outline : compact(outline, tail.seq)
}

function conversation(turns: number): Outline {
  return Array.from({ length: turns }).reduce<Outline>(addTurn, { entries: [], operations: [] })
}

function addTurn({ entries, operations }: Outline): Outline {
  const seq = (entries.at(-1)?.seq ?? 0) + 1
  const entry = { hiddenBy: null, compactionId: null, window: null, condensed: false, createdAt: 0 }
  return {
    entries: [
      ...entries,
      { ...entry, id: `m${seq}`, seq, role: 'user' },
      { ...entry, id: `m${seq + 1}`, seq: seq + 1, role: 'assistant' },
    ],
    operations,
  }
}

/** Summarises what is visible before `tailStart`. */
function compact(outline: Outline, tailStart: number): Outline {
  const lastSeq = outline.entries.at(-1)?.seq ?? 0
  const summarySeq = lastSeq + 1
  const now = visibleNow(outline)
  const summaries = outline.entries
    .filter(({ compactionId, seq }) => compactionId !== null && now.has(seq))
    .map(({ seq }) => seq)
  const hidden = [...now]
    .filter((seq) => seq < tailStart || summaries.includes(seq))
    .map((seq): [number, number] => [seq, seq])
  const { entries, operations } = perform(outline, 'compaction', { lastSeq, hidden, shown: [], summarySeq })
  const summary: OutlineEntry = {
    id: `m${summarySeq}`,
    seq: summarySeq,
    role: 'assistant',
    hiddenBy: null,
    compactionId: 'c',
    window: null,
    condensed: false,
    createdAt: 0,
  }
  return { entries: [...entries, summary], operations }
}

function perform(outline: Outline, kind: HistoryKind, detail: HistoryDetail): Outline {
  operations += 1
  const id = `op${operations}`
  const entries = outline.entries.map((entry) => {
    if (inRanges(detail.hidden, entry.seq)) return { ...entry, hiddenBy: id }
    return inRanges(detail.shown, entry.seq) ? { ...entry, hiddenBy: null } : entry
  })
  return { entries, operations: [...outline.operations, { id, sessionId: 's', kind, detail, createdAt: 0 }] }
}
