import { expect, test } from 'vitest'
import type { Outline, OutlineEntry } from '../../domain/history/outline.ts'
import { awaitsStep } from './plan-compaction.ts'

const entry = (id: string, more: Partial<OutlineEntry> = {}): OutlineEntry => ({
  id,
  seq: 1,
  role: 'assistant',
  hiddenBy: null,
  compactionId: null,
  window: null,
  condensed: false,
  createdAt: 0,
  ...more,
})

const compaction = (id: string, auto: boolean): Outline['operations'][number] => ({
  id,
  sessionId: 's',
  kind: 'compaction',
  detail: { lastSeq: 1, hidden: [], shown: [], auto },
  createdAt: 1,
})

const summary = (id: string, hiddenBy: string | null = null) =>
  entry(`summary-${id}`, { compactionId: id, hiddenBy, window: { tokens: 5, compactionId: id } })
const counted = (compactionId: string, hiddenBy: string | null = null) =>
  entry('reply', { hiddenBy, window: { tokens: 9, compactionId } })

const CASES: { what: string; outline: Outline; awaits: boolean }[] = [
  { what: 'nothing was compacted', outline: { entries: [entry('m')], operations: [] }, awaits: false },
  {
    what: 'the last compaction has no step yet',
    outline: { entries: [entry('m'), summary('a')], operations: [compaction('a', true)] },
    awaits: true,
  },
  {
    what: 'a step was counted under its summary',
    outline: { entries: [counted('a'), summary('a')], operations: [compaction('a', true)] },
    awaits: false,
  },
  {
    what: 'that step was rewound',
    outline: { entries: [counted('a', 'rewind'), summary('a')], operations: [compaction('a', true)] },
    awaits: false,
  },
  {
    what: 'only an earlier compaction has a step',
    outline: {
      entries: [counted('a'), summary('a', 'b'), summary('b')],
      operations: [compaction('a', true), compaction('b', true)],
    },
    awaits: true,
  },
  {
    what: 'it was taken back',
    outline: { entries: [summary('a', 'undo')], operations: [compaction('a', true)] },
    awaits: false,
  },
  {
    what: 'a person made it',
    outline: { entries: [summary('a')], operations: [compaction('a', false)] },
    awaits: false,
  },
  {
    what: 'it is the parent’s, whose summary a branch began with',
    outline: { entries: [summary('a')], operations: [] },
    awaits: false,
  },
]

test.for(CASES)('CP-6 a compaction awaits a step: $awaits where $what', ({ outline, awaits }) => {
  expect(awaitsStep(outline)).toBe(awaits)
})
