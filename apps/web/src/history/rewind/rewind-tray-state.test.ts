import type { TimelineEntry } from '@palimpsest/ui'
import { expect, test } from 'vitest'
import { userMessage } from '../../testing/session-world.ts'
import { trayRewind } from './rewind-tray-state.ts'

const entry = (facts: Partial<TimelineEntry> = {}): TimelineEntry => ({
  id: 'op_1',
  sessionId: 'ses_1',
  kind: 'rewind',
  detail: { lastSeq: 4, hidden: [], shown: [] },
  createdAt: 100,
  hiddenCount: 3,
  shownCount: 0,
  restoresCount: 3,
  canUndo: true,
  ...facts,
})

const said = (createdAt: number, role: 'user' | 'assistant' = 'user') => ({
  ...userMessage('m'),
  role,
  metadata: { schemaVersion: 1, createdAt } as const,
})

test('UI-17 the tray of a rewind stays above the composer until the next message', () => {
  const last = entry()
  expect(trayRewind([last], [said(50)], null)).toBe(last)
  expect(trayRewind([last], [], null)).toBe(last)
  expect(trayRewind([last], [said(50), said(101)], null)).toBeNull()
})

test('UI-17 a reply that comes is no going on', () => {
  const last = entry()
  expect(trayRewind([last], [said(50), said(500, 'assistant')], null)).toBe(last)
})

test('UI-17 an edited message, which is as old as its rewind, keeps the way back', () => {
  const last = entry()
  expect(trayRewind([last], [said(100)], null)).toBe(last)
})

test.each([
  ['nothing was done', []],
  ['it was put away', [entry({ id: 'op_away' })]],
  ['it can’t be taken back', [entry({ canUndo: false })]],
  ['it hid nothing', [entry({ hiddenCount: 0 })]],
  ['something else was done last', [entry({ kind: 'compaction' }), entry()]],
  ['the model was switched since', [entry({ kind: 'switch', hiddenCount: 0 }), entry()]],
])('UI-17 there is no way back over the composer where %s', (_, timeline) => {
  expect(trayRewind(timeline, [], 'op_away')).toBeNull()
})

test('UI-17 what was restored can be put back in the same place', () => {
  const restored = entry({ kind: 'unrewind', hiddenCount: 1, shownCount: 3 })
  expect(trayRewind([restored, entry()], [], null)).toBe(restored)
})
