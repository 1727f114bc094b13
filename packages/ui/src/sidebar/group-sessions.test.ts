import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleSession } from '../testing/samples.ts'
import { groupSessions } from './group-sessions.ts'

const NOON = new Date(2026, 5, 15, 12).getTime()
const DAY = 86_400_000

test('UI-1 sessions stand under their day, the newest first', () => {
  const ages = { now: 0, evening: DAY / 2 + 1, week: 4 * DAY, month: 20 * DAY, older: 80 * DAY }
  const sessions = Object.entries(ages).map(([id, age]) => sampleSession(id, { updatedAt: NOON - age }))
  const groups = groupSessions(sessions, NOON)
  expect(groups.map((group) => group.key)).toEqual([
    'today',
    'yesterday',
    'previousWeek',
    'previousMonth',
    { month: new Date(2026, 2).getTime() },
  ])
  expect(groups.map((group) => group.rows[0]?.session.id)).toEqual([
    'now',
    'evening',
    'week',
    'month',
    'older',
  ])
})

test('UI-1 a branch stands under its parent, where the newest of the family belongs', () => {
  const sessions = [
    sampleSession('root', { updatedAt: NOON - 9 * DAY }),
    sampleSession('other', { updatedAt: NOON - DAY }),
    sampleSession('branch', { parentId: 'root', updatedAt: NOON }),
    sampleSession('leaf', { parentId: 'branch', updatedAt: NOON - 2 * DAY }),
  ]
  const [today] = groupSessions(sessions, NOON)
  expect(today?.key).toBe('today')
  expect(today?.rows.map(({ session, depth }) => [session.id, depth])).toEqual([
    ['root', 0],
    ['branch', 1],
    ['leaf', 2],
  ])
})

test('UI-1 a branch whose parent is not in the list stands alone', () => {
  const [group] = groupSessions([sampleSession('a', { parentId: 'elsewhere', updatedAt: NOON })], NOON)
  expect(group?.rows).toMatchObject([{ depth: 0, session: { id: 'a' } }])
})

test('UI-1 every session is always shown exactly once', () => {
  const forest = fc
    .array(fc.tuple(fc.nat(30), fc.nat(100 * DAY)), { maxLength: 30 })
    .map((entries) =>
      entries.map(([parent, age], at) =>
        sampleSession(`s${at}`, { parentId: parent < at ? `s${parent}` : null, updatedAt: NOON - age }),
      ),
    )
  fc.assert(
    fc.property(forest, (sessions) => {
      const shown = groupSessions(sessions, NOON).flatMap((group) => group.rows.map((row) => row.session.id))
      expect(shown.toSorted()).toEqual(sessions.map((session) => session.id).toSorted())
    }),
  )
})
