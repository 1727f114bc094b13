import type { HistoryKind } from '@palimpsest/core/domain'
import type { TimelineEntry } from '@palimpsest/ui'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { userMessage } from '../../testing/session-world.ts'
import { trayRewind } from './rewind-tray-state.ts'
import { wayBack } from './way-back.ts'

const KINDS: HistoryKind[] = ['rewind', 'unrewind', 'compaction', 'uncompaction', 'prune', 'branch', 'switch']

const timelines = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      lastSeq: fc.nat(3),
      hiddenCount: fc.nat(3),
      canUndo: fc.boolean(),
      isVersion: fc.boolean(),
      createdAt: fc.nat(100),
    }),
    { maxLength: 6 },
  )
  .map((list) =>
    list.map(
      ({ lastSeq, isVersion, ...facts }, at): TimelineEntry => ({
        id: `op_${list.length - at}`,
        sessionId: 'ses_1',
        detail: { lastSeq, hidden: [], shown: [], ...(isVersion && { targetMessageId: 'm' }) },
        shownCount: 0,
        restoresCount: list.length - at,
        ...facts,
      }),
    ),
  )

const said = (createdAt: number) => ({
  ...userMessage('m'),
  metadata: { schemaVersion: 1, createdAt } as const,
})

test('UI-17 the tray offers the last change only, and only one that can be undone and hid something', () => {
  fc.assert(
    fc.property(timelines, fc.nat(100), (timeline, at) => {
      const offered = trayRewind(timeline, [said(at)], null)
      if (offered === null) return
      expect(offered).toBe(timeline[0])
      expect(offered).toMatchObject({ canUndo: true })
      expect(offered.hiddenCount).toBeGreaterThan(0)
      expect(offered.createdAt).toBeGreaterThanOrEqual(at)
      expect(['rewind', 'unrewind']).toContain(offered.kind)
    }),
  )
})

test('UI-17 a tray that was put away stays away, and comes back with the next change only', () => {
  fc.assert(
    fc.property(timelines, (timeline) => {
      const offered = trayRewind(timeline, [], null)
      expect(trayRewind(timeline, [], timeline[0]?.id ?? null)).toBeNull()
      expect(trayRewind(timeline, [], 'op_before')).toBe(offered)
    }),
  )
})

test('UI-28 a switch of the version has its way back at the message and none over the composer', () => {
  fc.assert(
    fc.property(timelines, (timeline) => {
      const offered = trayRewind(timeline, [], null)
      if (offered?.kind === 'unrewind') expect(offered.detail.targetMessageId).toBeUndefined()
    }),
  )
})

test('UI-29 for any timeline the way back leads over successive changes, with what a return to it shows again', () => {
  fc.assert(
    fc.property(timelines, (timeline) => {
      timeline.forEach((entry, from) => {
        const { pointId, operationIds, hidden } = wayBack(timeline, entry)
        const chain = timeline.slice(from, from + operationIds.length)
        expect(operationIds).toEqual(chain.map(({ id }) => id))
        expect(pointId).toBe(operationIds.at(-1))
        expect(hidden).toBe(chain.at(-1)?.restoresCount)
        if (chain.length > 1) expect(new Set(chain.map(({ kind }) => kind))).toEqual(new Set(['rewind']))
        expect(new Set(chain.map(({ detail }) => detail.lastSeq)).size).toBe(1)
      })
    }),
  )
})

test('UI-29 a change that is alone, or that the timeline does not have, leads to the state before itself', () => {
  const entry: TimelineEntry = {
    id: 'op_9',
    sessionId: 'ses_1',
    kind: 'compaction',
    detail: { lastSeq: 4, hidden: [], shown: [] },
    createdAt: 1,
    hiddenCount: 2,
    shownCount: 0,
    restoresCount: 3,
    canUndo: true,
  }
  for (const timeline of [[entry], []])
    expect(wayBack(timeline, entry)).toEqual({ pointId: 'op_9', operationIds: ['op_9'], hidden: 3 })
})
