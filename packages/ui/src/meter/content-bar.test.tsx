// @vitest-environment happy-dom
import type { ContextWindow } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { en } from '../messages/en.ts'
import { MessagesProvider } from '../messages/messages-context.tsx'
import { type Shown, show } from '../testing/show.tsx'
import { ContentBar } from './content-bar.tsx'
import type { ContentRow } from './content-rows.ts'

const window = (used: number, limit: number | null, usable = limit): ContextWindow => ({
  used,
  limit,
  usable,
  estimated: false,
})

const ROWS: ContentRow[] = [
  { kind: 'instructions', tokens: 200 },
  { kind: 'tools', tokens: 600 },
]

const bar = (rows: readonly ContentRow[], one: ContextWindow) => show(<ContentBar rows={rows} window={one} />)

/** The widths of the parts of the bar, in percent; the reserve is the last. */
function widths(page: Shown): number[] {
  const parts = page.container.querySelectorAll<HTMLElement>('[aria-hidden] > span')
  return [...parts].map(({ style }) => Number.parseFloat(style.width))
}

const legend = (page: Shown) => page.queryAllByRole('listitem').map(({ textContent }) => textContent)

test('UI-14 the parts of the bar are shares of all that the window can hold, the reserve the last of them', () => {
  using page = bar(ROWS, window(800, 4_000, 3_000))
  expect(widths(page)).toEqual([5, 15, 25])
})

test('UI-14 the legend has shares of what is used', () => {
  using page = bar(ROWS, window(800, 4_000, 3_000))
  expect(legend(page)).toEqual(['Instructions and tools 25%', 'Tool calls 75%'])
})

test('UI-14 without a limit the bar is full of what is used, and has no reserve', () => {
  using page = bar(ROWS, window(800, null))
  expect(widths(page)).toEqual([25, 75])
})

test('UI-14 what is used of the reserve is no longer drawn as reserve', () => {
  using page = bar([{ kind: 'prompts', tokens: 3_500 }], window(3_500, 4_000, 3_000))
  expect(widths(page)).toEqual([87.5, 12.5])
})

test('UI-14 a window that is more than full is one full bar', () => {
  using page = bar([{ kind: 'prompts', tokens: 5_000 }], window(5_000, 4_000, 3_000))
  expect(widths(page)).toEqual([100])
})

test('UI-14 an empty window has an empty bar with its reserve, and no legend', () => {
  using page = bar([], window(0, 4_000, 3_000))
  expect(widths(page)).toEqual([25])
  expect(legend(page)).toEqual([])
})

test('UI-14 an empty window of an unknown limit has nothing in its bar', () => {
  using page = bar([], window(0, null))
  expect(widths(page)).toEqual([])
})

test('UI-14 each kind of content has a colour of its own, the same in the bar and in the legend', () => {
  const kinds = [
    'instructions',
    'summary',
    'prompts',
    'replies',
    'reasoning',
    'tools',
    'files',
    'writing',
  ] as const
  using page = bar(
    kinds.map((kind) => ({ kind, tokens: 1 })),
    window(8, null),
  )
  const colours = (selector: string) =>
    [...page.container.querySelectorAll<HTMLElement>(selector)].map(({ style }) => style.background)
  expect(new Set(colours('[aria-hidden] > span')).size).toBe(kinds.length)
  expect(colours('li > span')).toEqual(colours('[aria-hidden] > span'))
})

test('UI-25 the shares of the legend follow the locale', () => {
  using page = show(
    <MessagesProvider messages={en} locale="de">
      <ContentBar rows={ROWS} window={window(800, 4_000)} />
    </MessagesProvider>,
  )
  expect(legend(page)[0]).toMatch(/ 25\s%$/)
})

test('UI-14 the parts of the bar never come to more than the bar', () => {
  const size = fc.integer({ min: 1, max: 300_000 })
  fc.assert(
    fc.property(fc.nat(400_000), size, fc.double({ min: 0, max: 1, noNaN: true }), (used, limit, share) => {
      const usable = Math.floor(limit * share)
      using page = bar(used === 0 ? [] : [{ kind: 'prompts', tokens: used }], window(used, limit, usable))
      const sum = widths(page).reduce((all, width) => all + width, 0)
      expect(sum).toBeLessThanOrEqual(100.000_01)
    }),
    { numRuns: 60 },
  )
})
