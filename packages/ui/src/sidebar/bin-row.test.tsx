// @vitest-environment happy-dom
import { BIN_DAYS } from '@palimpsest/core/domain'
import { fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createFormat } from '../format/format.ts'
import { sampleSession } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { BinRow } from './bin-row.tsx'

const NOW = new Date(2026, 5, 15, 12).getTime()
const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

function binRow(age: number, { branch = false, title = 'Iron gall' } = {}) {
  const actions = { onRestore: vi.fn(), onPurge: vi.fn() }
  const session = { ...sampleSession('s', { title }), deletedAt: NOW - age }
  return Object.assign(show(<BinRow session={session} branch={branch} now={NOW} actions={actions} />), {
    actions,
  })
}

test.each<[when: string, age: number, left: string]>([
  ['now', 0, '30 days left'],
  ['a moment ago', 1, '30 days left'],
  ['a day ago, to the millisecond', DAY, '29 days left'],
  ['a little more than a day ago', DAY + 1, '29 days left'],
  ['almost two days ago', 2 * DAY - 1, '29 days left'],
  ['29 days ago', 29 * DAY, '1 day left'],
  ['almost 30 days ago', 30 * DAY - 1, '1 day left'],
  ['30 days ago', 30 * DAY, 'deleted forever soon'],
  ['40 days ago, by a server that was off', 40 * DAY, 'deleted forever soon'],
  ['after the moment of the list', -5 * HOUR, '30 days left'],
])('UI-32 of a chat that was deleted %s the bin says “%s” of what is left', (_, age, left) => {
  using page = binRow(age)
  expect(page.container.textContent?.split(' · ')[1]).toBe(left)
})

test('UI-32 a row says when its chat was deleted, as short as it is clear', () => {
  using page = binRow(3 * DAY)
  expect(page.container.textContent).toContain(`Deleted ${createFormat('en').moment(NOW - 3 * DAY, NOW)} · `)
})

test('UI-32 the days that are left are always between none and all, and never grow', () => {
  const left = (age: number) => {
    using page = binRow(age)
    const days = /(\d+) days? left/.exec(page.container.textContent ?? '')?.[1]
    return days === undefined ? 0 : Number(days)
  }
  const ages = fc.integer({ min: -DAY, max: 2 * BIN_DAYS * DAY })
  fc.assert(
    fc.property(ages, ages, (one, other) => {
      const [younger, older] = [left(Math.min(one, other)), left(Math.max(one, other))]
      expect(older).toBeLessThanOrEqual(younger)
      expect(older).toBeGreaterThanOrEqual(0)
      expect(younger).toBeLessThanOrEqual(BIN_DAYS)
    }),
    { numRuns: 40 },
  )
})

test('UI-32 each of the two ways out is for the chat of its row', () => {
  using page = binRow(DAY)
  fireEvent.click(page.getByRole('button', { name: 'Restore Iron gall' }))
  expect(page.actions.onRestore.mock.calls).toEqual([['s']])
  expect(page.actions.onPurge).not.toHaveBeenCalled()
  fireEvent.click(page.getByRole('button', { name: 'Delete Iron gall forever…' }))
  expect(page.actions.onPurge.mock.calls).toEqual([['s']])
  expect(page.actions.onRestore).toHaveBeenCalledOnce()
})

test('UI-32 the arrow keys of the list lead to Restore, not to deleting forever', () => {
  using page = binRow(DAY)
  const rows = [...page.container.querySelectorAll('[data-session-row]')]
  expect(rows).toEqual([page.getByRole('button', { name: 'Restore Iron gall' })])
})

test.each([true, false])('UI-32 a row in the bin says whether its chat is a branch: %s', (branch) => {
  using page = binRow(DAY, { branch })
  expect(page.queryByLabelText('branch') !== null).toBe(branch)
})

test('UI-32 a title that is markup is text, in its own direction', () => {
  using page = binRow(DAY, { title: '<img src=x onerror=alert(1)>' })
  expect(page.container.querySelector('img')).toBeNull()
  expect(page.getByText('<img src=x onerror=alert(1)>').getAttribute('dir')).toBe('auto')
})
