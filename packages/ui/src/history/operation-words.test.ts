import type { HistoryDetail, HistoryKind } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFormat } from '../format/format.ts'
import { historyWords } from '../messages/en-history.ts'
import { operationFacts, operationName } from './operation-words.ts'
import type { TimelineEntry } from './timeline-entry.ts'

const words = historyWords.timeline
const format = createFormat('en')

function entry(
  kind: HistoryKind,
  detail: Partial<HistoryDetail> = {},
  facts: Partial<TimelineEntry> = {},
): TimelineEntry {
  return {
    id: 'op_1',
    sessionId: 'ses_1',
    kind,
    detail: { lastSeq: 1, hidden: [], shown: [], ...detail },
    createdAt: 0,
    hiddenCount: 0,
    shownCount: 0,
    restoresCount: 0,
    canUndo: false,
    ...facts,
  }
}

const PLAIN: Record<HistoryKind, string> = {
  rewind: 'Rewound',
  unrewind: 'Restored',
  compaction: 'Summarised',
  uncompaction: 'Summary undone',
  prune: 'Dropped old tool results',
  unprune: 'Restored tool results',
  uncondense: 'Full tool result used',
  recondense: 'Condensed tool result used again',
  leaveout: 'Left out a message',
  bringback: 'Brought back a message',
  revert: 'Changed files back',
  branch: 'Branched',
  switch: 'Switched the model',
}

const KINDS = [
  'rewind',
  'unrewind',
  'compaction',
  'uncompaction',
  'prune',
  'unprune',
  'uncondense',
  'recondense',
  'leaveout',
  'bringback',
  'branch',
  'switch',
] as const satisfies HistoryKind[]

test.each(KINDS)('UI-18 an operation of the kind %s has a name of its own', (kind) => {
  expect(operationName(entry(kind), words)).toBe(PLAIN[kind])
  expect(KINDS.filter((other) => operationName(entry(other), words) === PLAIN[kind])).toEqual([kind])
})

test.each<[string, HistoryKind, Partial<HistoryDetail>]>([
  ['Edited and sent again', 'rewind', { replacedMessageId: 'm1' }],
  ['Edited and sent again', 'rewind', { replacedMessageId: 'm1', targetMessageId: 'm1' }],
  ['Rewound', 'rewind', { targetMessageId: 'm1' }],
  ['Switched the version', 'unrewind', { targetMessageId: 'm1' }],
  ['Restored', 'unrewind', { undoes: 'op_0' }],
  ['Summarised automatically', 'compaction', { auto: true }],
  ['Summarised', 'compaction', { auto: false }],
  ['Branched', 'branch', { targetMessageId: 'm1', replacedMessageId: 'm1', auto: true }],
  ['Summary undone', 'uncompaction', { targetMessageId: 'm1', auto: true }],
])('UI-18 the name is %j for %s with %j', (name, kind, detail) => {
  expect(operationName(entry(kind, detail), words)).toBe(name)
})

test.each<[string[], HistoryKind, Partial<HistoryDetail>, Partial<TimelineEntry>]>([
  [[], 'switch', {}, {}],
  [['1 message hidden'], 'rewind', {}, { hiddenCount: 1 }],
  [['2 messages hidden', '3 messages restored'], 'unrewind', {}, { hiddenCount: 2, shownCount: 3 }],
  [['1 file restored'], 'rewind', { fileCount: 1 }, {}],
  [[], 'rewind', { fileCount: 0 }, {}],
  [['1 tool result'], 'prune', { partIds: ['p1'] }, {}],
  [['2 tool results', '41k → 3k tokens'], 'prune', pruned(), {}],
  [[], 'prune', { partIds: [] }, {}],
  [['900 → 100 tokens'], 'compaction', { beforeTokens: 900, afterTokens: 100 }, {}],
])('UI-18 the facts are %j for %s', (facts, kind, detail, counts) => {
  expect(operationFacts(entry(kind, detail, counts), words, format)).toEqual(facts)
})

function pruned(): Partial<HistoryDetail> {
  return { partIds: ['p1', 'p2'], beforeTokens: 41_000, afterTokens: 3_000 }
}

test.each<[string, Partial<HistoryDetail>]>([
  ['only those before are stored', { beforeTokens: 900 }],
  ['only those after are stored', { afterTokens: 900 }],
  ['nothing changed', { beforeTokens: 900, afterTokens: 900 }],
])('UI-18 tokens are not among the facts where %s', (_, detail) => {
  expect(operationFacts(entry('compaction', detail), words, format)).toEqual([])
})

test('UI-18 a window that was emptied has its tokens down to nothing', () => {
  const facts = operationFacts(entry('rewind', { beforeTokens: 900, afterTokens: 0 }), words, format)
  expect(facts).toEqual(['900 → 0 tokens'])
})

test('UI-18 the facts are in one order: hidden, restored, files, results, tokens', () => {
  const all = entry('unprune', { ...pruned(), fileCount: 4 }, { hiddenCount: 1, shownCount: 2 })
  expect(operationFacts(all, words, format)).toEqual([
    '1 message hidden',
    '2 messages restored',
    '4 files restored',
    '2 tool results',
    '41k → 3k tokens',
  ])
})

test('UI-18 a branch has no tokens among its facts, as it changes nothing here', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (beforeTokens, afterTokens) => {
      expect(operationFacts(entry('branch', { beforeTokens, afterTokens }), words, format)).toEqual([])
    }),
  )
})

test('UI-18 every operation has a name, and no fact is empty or counts nothing', () => {
  const detail = fc.record(
    {
      targetMessageId: fc.string(),
      replacedMessageId: fc.string(),
      auto: fc.boolean(),
      fileCount: fc.nat(3),
      partIds: fc.array(fc.string(), { maxLength: 3 }),
      beforeTokens: fc.nat(3),
      afterTokens: fc.nat(3),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), detail, fc.nat(3), fc.nat(3), (kind, facts, hidden, shown) => {
      const one = entry(kind, facts, { hiddenCount: hidden, shownCount: shown })
      expect(operationName(one, words)).not.toBe('')
      for (const fact of operationFacts(one, words, format)) expect(fact).toMatch(/^[1-9]|→/)
    }),
  )
})
