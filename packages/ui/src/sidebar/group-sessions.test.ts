import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { sampleSession } from '../testing/samples.ts'
import { dayStart, groupSessions } from './group-sessions.ts'

const NOON = new Date(2026, 5, 15, 12).getTime()
const DAY = 86_400_000

test('UI-1 sessions are under their day, the newest first', () => {
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

test('UI-1 a branch is under its parent, at the day of the newest of the family', () => {
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

test('UI-1 a branch whose parent is not in the list is at the top level', () => {
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

afterEach(() => void vi.unstubAllEnvs())

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]

test.each(ZONES)('UI-1 in %s a chat is always under its calendar day', (zone) => {
  vi.stubEnv('TZ', zone)
  const midday = (at: number) => new Date(at).setHours(12, 0, 0, 0)
  fc.assert(
    fc.property(
      fc.date({ min: new Date(2024, 0), max: new Date(2027, 0), noInvalidDate: true }),
      fc.nat(12 * DAY),
      (date, age) => {
        const now = date.getTime()
        const [group] = groupSessions([sampleSession('a', { updatedAt: now - age })], now)
        const days = Math.round((midday(now) - midday(now - age)) / DAY)
        const expected =
          days === 0 ? 'today' : days === 1 ? 'yesterday' : days <= 7 ? 'previousWeek' : 'previousMonth'
        expect(group?.key).toBe(expected)
      },
    ),
  )
})

test('UI-1 on the day after the clocks went forward, yesterday is the day before', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const now = new Date(2026, 2, 30, 9).getTime()
  const lateSaturday = new Date(2026, 2, 28, 23, 30).getTime()
  expect(dayStart(now, 1)).toBe(new Date(2026, 2, 29).getTime())
  expect(groupSessions([sampleSession('a', { updatedAt: lateSaturday })], now)[0]?.key).toBe('previousWeek')
})

test('UI-1 the same month of two years makes two groups', () => {
  const at = (year: number) => new Date(year, 2, 10).getTime()
  const sessions = [sampleSession('a', { updatedAt: at(2026) }), sampleSession('b', { updatedAt: at(2025) })]
  expect(groupSessions(sessions, NOON).map(({ key }) => key)).toEqual([
    { month: new Date(2026, 2).getTime() },
    { month: new Date(2025, 2).getTime() },
  ])
})

test('UI-1 a chat with a time in the future is under today', () => {
  expect(groupSessions([sampleSession('a', { updatedAt: NOON + 3 * DAY })], NOON)[0]?.key).toBe('today')
})
