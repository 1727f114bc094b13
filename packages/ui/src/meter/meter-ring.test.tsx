// @vitest-environment happy-dom
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Shown, show } from '../testing/show.tsx'
import { MeterRing } from './meter-ring.tsx'
import type { MeterState } from './meter-state.ts'

const ROUND = 2 * Math.PI * 7

/** The two circles: the track, and the share that is used, if any. */
function circles(page: Shown): (string | null)[] {
  return [...page.container.querySelectorAll('circle')].map((circle) =>
    circle.getAttribute('stroke-dasharray'),
  )
}

test('UI-14 the ring of an unknown window is dashed and has no share', () => {
  using page = show(<MeterRing share={null} level="unknown" />)
  expect(circles(page)).toEqual(['2 3'])
})

test('UI-14 the ring of an empty window is a whole track without a share', () => {
  using page = show(<MeterRing share={0} level="calm" />)
  expect(circles(page)).toEqual([null])
})

test('UI-14 a share above nothing is always long enough to be seen', () => {
  using page = show(<MeterRing share={0.000_01} level="calm" />)
  expect(circles(page)).toEqual([null, `0.5 ${ROUND}`])
})

test('UI-14 a full window fills the ring once', () => {
  using page = show(<MeterRing share={1} level="full" />)
  expect(circles(page)).toEqual([null, `${ROUND} ${ROUND}`])
})

test.each<[MeterState['level'], string]>([
  ['unknown', 'text-ghost'],
  ['calm', 'text-muted'],
  ['high', 'text-caution'],
  ['full', 'text-danger'],
])('UI-14 a ring that is %s has the tone %s and no other', (level, tone) => {
  using page = show(<MeterRing share={0.5} level={level} />)
  const tones = [...(page.container.querySelector('svg')?.classList ?? [])].filter((name) =>
    name.startsWith('text-'),
  )
  expect(tones).toEqual([tone])
})

test('UI-23 the ring is a picture: what it shows is in the words beside it', () => {
  using page = show(<MeterRing share={0.5} level="calm" />)
  expect(page.container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true')
})

test('UI-14 a greater share is never a shorter line', () => {
  const length = (share: number) => {
    using page = show(<MeterRing share={share} level="calm" />)
    return Number.parseFloat(circles(page)[1] ?? '0')
  }
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(share, share, (a, b) => {
      expect(length(Math.min(a, b))).toBeLessThanOrEqual(length(Math.max(a, b)))
    }),
    { numRuns: 40 },
  )
})
