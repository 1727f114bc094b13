import type { HistoryKind } from '@palimpsest/core/domain'
import type { TimelineEntry } from '@palimpsest/ui'
import { expect, test } from 'vitest'
import { wayBack } from './way-back.ts'

const entry = (
  id: string,
  lastSeq: number,
  restoresCount: number,
  kind: HistoryKind = 'rewind',
): TimelineEntry => ({
  id,
  sessionId: 'ses_1',
  kind,
  detail: { lastSeq, hidden: [], shown: [] },
  createdAt: 1,
  hiddenCount: 1,
  shownCount: 0,
  restoresCount,
  canUndo: true,
})

test('UI-29 what is written after a rewind leads back to the state before the rewind, with what both hid', () => {
  const timeline = [entry('op_3', 8, 1), entry('op_2', 8, 8), entry('op_1', 4, 2)]
  expect(timeline[0] && wayBack(timeline, timeline[0])).toEqual({
    pointId: 'op_2',
    operationIds: ['op_3', 'op_2'],
    hidden: 8,
  })
})

test('UI-29 a change after other messages, or after another kind of change, leads to the state before itself', () => {
  const edited = entry('op_3', 8, 2)
  expect(wayBack([edited, entry('op_2', 6, 7)], edited).pointId).toBe('op_3')
  expect(wayBack([edited, entry('op_2', 8, 7, 'unrewind')], edited).pointId).toBe('op_3')
})
