// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { useRef, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { useOverflow } from './use-overflow.ts'
import { WideTools } from './wide-tools.tsx'

type Observed = { changed: () => void; elements: Set<Element> }
let observers: Set<Observed>

beforeEach(() => {
  observers = new Set()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #own: Observed
      constructor(changed: () => void) {
        this.#own = { changed, elements: new Set() }
        observers.add(this.#own)
      }
      observe(element: Element) {
        this.#own.elements.add(element)
      }
      disconnect() {
        observers.delete(this.#own)
      }
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

function Wide() {
  const scroller = useRef<HTMLDivElement>(null)
  const cut = useOverflow(scroller)
  return (
    <section aria-label="Frame">
      <div ref={scroller} data-testid="scroller">
        <p>{cut ? 'cut' : 'whole'}</p>
      </div>
    </section>
  )
}

function open() {
  const page = show(<Wide />)
  const scroller = page.getByTestId('scroller')
  const measure = (scrollWidth: number, scrollLeft = 0) => {
    Object.defineProperty(scroller, 'clientWidth', { configurable: true, value: 300 })
    Object.defineProperty(scroller, 'scrollWidth', { configurable: true, value: scrollWidth })
    Object.defineProperty(scroller, 'scrollLeft', { configurable: true, value: scrollLeft })
    act(() => {
      for (const { changed } of observers) changed()
    })
    const frame = page.getByRole('region', { name: 'Frame' })
    return [
      page.container.textContent,
      ...['data-more-start', 'data-more-end'].filter((name) => frame.hasAttribute(name)),
    ]
  }
  return Object.assign(page, { scroller, measure })
}

test('UI-6 what fits, or is wider by a rounding, does not fade', () => {
  using page = open()
  expect(page.measure(300)).toEqual(['whole'])
  expect(page.measure(301)).toEqual(['whole'])
  expect(page.measure(302)).toEqual(['cut', 'data-more-end'])
})

test('UI-6 what is cut fades on the side where it goes on, on both in its middle', () => {
  using page = open()
  expect(page.measure(900, 0)).toEqual(['cut', 'data-more-end'])
  expect(page.measure(900, 300)).toEqual(['cut', 'data-more-start', 'data-more-end'])
  expect(page.measure(900, 599)).toEqual(['cut', 'data-more-start'])
})

test('UI-6 in a script from right to left what is cut fades where it goes on', () => {
  using page = open()
  expect(page.measure(900, -300)).toEqual(['cut', 'data-more-start', 'data-more-end'])
  expect(page.measure(900, -600)).toEqual(['cut', 'data-more-start'])
})

test('UI-6 a window that becomes wide enough takes the fades away', () => {
  using page = open()
  page.measure(900, 300)
  expect(page.measure(300, 0)).toEqual(['whole'])
})

test('UI-6 the fades follow each scroll', () => {
  using page = open()
  page.measure(900)
  Object.defineProperty(page.scroller, 'scrollLeft', { configurable: true, value: 600 })
  fireEvent.scroll(page.scroller)
  const frame = page.getByRole('region', { name: 'Frame' })
  expect([frame.hasAttribute('data-more-start'), frame.hasAttribute('data-more-end')]).toEqual([true, false])
})

test('UI-6 the scroller and its content are observed, and neither once it is gone', () => {
  const page = open()
  const [observer] = observers
  expect([...(observer?.elements ?? [])]).toEqual([page.scroller, page.scroller.firstElementChild])
  page[Symbol.dispose]()
  expect(observers.size).toBe(0)
})

test('UI-6 where sizes can’t be observed, all is drawn without fades', () => {
  vi.stubGlobal('ResizeObserver', undefined)
  using page = show(<Wide />)
  expect(page.container.textContent).toBe('whole')
})

function Tools() {
  const [wrapped, setWrapped] = useState(false)
  return (
    <WideTools wrapped={wrapped} onWrap={setWrapped} title="Code, ts">
      <p>const ink = 1</p>
    </WideTools>
  )
}

test('UI-6 lines are wrapped and unwrapped by one button, which says what is on', () => {
  using page = show(<Tools />)
  const wrap = page.getByRole('button', { name: 'Wrap lines' })
  const states = [0, 1, 2].map(() => {
    const state = wrap.getAttribute('aria-pressed')
    fireEvent.click(wrap)
    return state
  })
  expect(states).toEqual(['false', 'true', 'false'])
})

test('UI-6 what is expanded is drawn only from then on, and opens again once it was closed', async () => {
  using page = show(<Tools />)
  expect(page.queryByText('const ink = 1')).toBeNull()
  fireEvent.click(page.getByRole('button', { name: 'Expand' }))
  await page.findByRole('dialog', { name: 'Code, ts' })
  fireEvent.click(page.getByRole('button', { name: 'Close' }))
  await vi.waitFor(() => expect(page.queryByRole('dialog')).toBeNull())
  fireEvent.click(page.getByRole('button', { name: 'Expand' }))
  expect((await page.findByRole('dialog')).textContent).toContain('const ink = 1')
})
