// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { useStickToEnd } from './use-stick-to-end.ts'

afterEach(() => vi.unstubAllGlobals())

type Metrics = { scrollTop: number; scrollHeight: number; clientHeight: number }

/** A scroller with a given layout, and the observers of its size. */
function reading(start: Metrics) {
  const metrics = { ...start }
  const scroller = document.createElement('div')
  const content = document.createElement('div')
  document.body.append(scroller)
  const define = (name: keyof Metrics) =>
    Object.defineProperty(scroller, name, {
      get: () => metrics[name],
      set: (value: number) => {
        // As a browser does: no further than the end.
        metrics[name] = Math.min(value, metrics.scrollHeight - metrics.clientHeight)
      },
    })
  for (const name of ['scrollTop', 'scrollHeight', 'clientHeight'] as const) define(name)
  const observers = new Set<() => void>()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #tell: () => void
      constructor(tell: () => void) {
        this.#tell = tell
      }
      observe() {
        observers.add(this.#tell)
      }
      disconnect() {
        observers.delete(this.#tell)
      }
    },
  )
  const { result } = renderHook(() => useStickToEnd({ current: scroller }, { current: content }))
  const observe = () => {
    for (const tell of observers) tell()
  }
  return {
    metrics,
    observe,
    /** Changes the layout and calls the size observers. */
    layOut(change: Partial<Metrics>) {
      Object.assign(metrics, change)
      act(observe)
    },
    scroll(change: Partial<Metrics>) {
      Object.assign(metrics, change)
      act(() => result.current.handleScroll())
    },
    get stick() {
      return result.current
    },
  }
}

const AT_END = { scrollTop: 1_400, scrollHeight: 2_000, clientHeight: 600 }

test('UI-7 a move up of a few pixels lets go, and the end that is reached again is followed', () => {
  const page = reading(AT_END)
  page.scroll({})
  page.scroll({ scrollTop: 1_390 })
  expect(page.stick.following).toBe(false)
  page.scroll({ scrollTop: 1_385 })
  expect(page.stick.following).toBe(false)
  page.scroll({ scrollTop: 1_400 })
  expect(page.stick.following).toBe(true)
})

test('UI-7 a draft of several lines that shrinks the view takes nobody from the end', () => {
  const page = reading(AT_END)
  page.scroll({})
  // The text was replaced: for a moment there was none, and the end was nearer.
  page.scroll({ scrollTop: 1_380, clientHeight: 552 })
  expect(page.stick.following).toBe(true)
  page.layOut({})
  expect(page.metrics.scrollTop).toBe(2_000 - 552)
})

test('UI-7 a draft that is replaced within a frame takes nobody from the end, and a move up in the next one does', () => {
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback))
  const page = reading(AT_END)
  page.scroll({})
  document.body.dispatchEvent(new InputEvent('input', { bubbles: true }))
  // Without its text the draft was lower, and the end nearer; the view is as high as before.
  page.scroll({ scrollTop: 1_352 })
  expect(page.stick.following).toBe(true)
  expect(page.metrics.scrollTop).toBe(1_400)
  for (const frame of frames) frame(0)
  page.scroll({})
  page.scroll({ scrollTop: 1_352 })
  expect(page.stick.following).toBe(false)
})

test('UI-7 content that grows after a move up and before the next render moves nobody', () => {
  const page = reading(AT_END)
  page.scroll({})
  act(() => {
    page.metrics.scrollTop = 1_300
    page.stick.handleScroll()
    page.metrics.scrollHeight = 2_400
    page.observe()
  })
  expect(page.metrics.scrollTop).toBe(1_300)
  expect(page.stick.following).toBe(false)
})

test('UI-7 a reader who has let go is not moved by a view that grows or shrinks', () => {
  const page = reading(AT_END)
  page.scroll({})
  page.scroll({ scrollTop: 700 })
  page.layOut({ clientHeight: 552 })
  page.layOut({ clientHeight: 600, scrollHeight: 2_600 })
  expect(page.metrics.scrollTop).toBe(700)
  expect(page.stick.following).toBe(false)
})

test('UI-7 text that became shorter is no move up', () => {
  const page = reading(AT_END)
  page.scroll({})
  page.scroll({ scrollTop: 1_200, scrollHeight: 1_800 })
  expect(page.stick.following).toBe(true)
})

test('UI-7 who asks for the newest follows it, and who opens a message elsewhere does not', () => {
  const page = reading(AT_END)
  act(() => page.stick.release())
  page.layOut({ scrollHeight: 3_000 })
  expect(page.metrics.scrollTop).toBe(1_400)
  act(() => page.stick.follow())
  page.layOut({ scrollHeight: 3_200 })
  expect(page.metrics.scrollTop).toBe(2_600)
})

test('UI-7 whatever way was scrolled, the end is followed from there on and a place above it never is', () => {
  const places = fc.array(fc.nat({ max: 1_400 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(places, (tops) => {
      const page = reading(AT_END)
      page.scroll({})
      for (const scrollTop of tops) page.scroll({ scrollTop })
      const last = tops.at(-1) ?? 0
      if (last === 1_400) expect(page.stick.following).toBe(true)
      if (last < 1_400 - 24) expect(page.stick.following).toBe(false)
    }),
    { numRuns: 40 },
  )
})
