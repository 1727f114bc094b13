// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { useOverflow } from './use-overflow.ts'

let observed: Map<Element, () => void>

beforeEach(() => {
  observed = new Map()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #changed: () => void
      constructor(changed: () => void) {
        this.#changed = changed
      }
      observe(element: Element) {
        observed.set(element, this.#changed)
      }
      disconnect() {
        observed.clear()
      }
    },
  )
})
afterEach(() => void vi.unstubAllGlobals())

function Scroller() {
  const scroller = useRef<HTMLElement>(null)
  const cut = useOverflow(scroller)
  return (
    <div data-testid="frame">
      <section ref={scroller} aria-label={cut ? 'Cut' : 'Whole'}>
        <p>Inside</p>
      </section>
    </div>
  )
}

type Widths = { shown?: number; inside: number; scrolled?: number }

function open() {
  const page = show(<Scroller />)
  const element = page.getByRole('region')
  const frame = page.getByTestId('frame')
  const lay = ({ shown = 300, inside, scrolled = 0 }: Widths) => {
    const widths = { clientWidth: shown, scrollWidth: inside, scrollLeft: scrolled }
    for (const [name, value] of Object.entries(widths)) {
      Object.defineProperty(element, name, { configurable: true, value })
    }
  }
  const resize = (widths: Widths) => {
    lay(widths)
    act(() => observed.get(element)?.())
    return fades()
  }
  /** Which edges fade, and whether anything is cut. */
  const fades = () => [
    frame.hasAttribute('data-more-start'),
    frame.hasAttribute('data-more-end'),
    page.queryByRole('region', { name: 'Cut' }) !== null,
  ]
  return Object.assign(page, { element, lay, resize, fades })
}

test.each<[why: string, widths: Widths, fades: boolean[]]>([
  ['what fits is whole', { inside: 300 }, [false, false, false]],
  ['a pixel of rounding is none', { inside: 301 }, [false, false, false]],
  ['two pixels are cut', { inside: 302 }, [false, true, true]],
  ['what is scrolled goes on at both edges', { inside: 900, scrolled: 100 }, [true, true, true]],
  ['at its end only the start goes on', { inside: 900, scrolled: 600 }, [true, false, true]],
  ['a pixel before its end is the end', { inside: 900, scrolled: 599 }, [true, false, true]],
  [
    'from right to left it is scrolled by negative pixels',
    { inside: 900, scrolled: -600 },
    [true, false, true],
  ],
  ['what is not laid out is whole', { shown: 0, inside: 0 }, [false, false, false]],
])('UI-6 %s', (_, widths, fades) => {
  using page = open()
  expect(page.resize(widths)).toEqual(fades)
})

test('UI-6 a window that becomes wider takes the fades away again', () => {
  using page = open()
  page.resize({ inside: 900, scrolled: 100 })
  expect(page.resize({ shown: 900, inside: 900 })).toEqual([false, false, false])
})

test('UI-6 content that grows by itself is measured, as colours that arrive later', () => {
  using page = open()
  page.lay({ inside: 900 })
  act(() => observed.get(page.getByText('Inside'))?.())
  expect(page.fades()).toEqual([false, true, true])
})

test('UI-6 the fades follow a scroll without a change of size', () => {
  using page = open()
  page.resize({ inside: 900 })
  page.lay({ inside: 900, scrolled: 600 })
  act(() => fireEvent.scroll(page.element))
  expect(page.fades()).toEqual([true, false, true])
})

test('UI-6 nothing is measured once the block has gone', () => {
  const page = open()
  expect(observed.size).toBe(2)
  page.unmount()
  expect(observed.size).toBe(0)
  document.body.replaceChildren()
})

test('UI-6 a browser that observes no sizes shows the block whole', () => {
  vi.stubGlobal('ResizeObserver', undefined)
  using page = open()
  expect(page.fades()).toEqual([false, false, false])
})

test('UI-6 an edge never fades unless something is cut, and one always does where something is', () => {
  const widths = fc.record({
    shown: fc.nat(400),
    inside: fc.nat(2_000),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(widths, ({ shown, inside, part }) => {
      using page = open()
      const whole = Math.max(shown, inside)
      const [start, end, cut] = page.resize({
        shown,
        inside: whole,
        scrolled: Math.round((whole - shown) * part),
      })
      if (!cut) expect([start, end]).toEqual([false, false])
      if (whole - shown > 3) expect(start || end).toBe(true)
    }),
    { numRuns: 40 },
  )
})
