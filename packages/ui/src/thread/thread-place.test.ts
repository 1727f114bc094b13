// @vitest-environment happy-dom
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { placeOf, rowOf, standAt } from './thread-place.ts'

afterEach(() => document.body.replaceChildren())

/** A scroller whose upper edge is at `top`, over rows of these heights. */
function thread(heights: readonly number[], top = 50): HTMLElement {
  const scroller = document.createElement('div')
  scroller.getBoundingClientRect = () => new DOMRect(0, top, 600, 400)
  heights.forEach((height, index) => {
    const before = heights.slice(0, index).reduce((sum, one) => sum + one, 0)
    const row = document.createElement('div')
    row.id = `m${index}`
    row.setAttribute('data-index', String(index))
    row.getBoundingClientRect = () => new DOMRect(0, top + before - scroller.scrollTop, 600, height)
    scroller.append(row)
  })
  document.body.append(scroller)
  return scroller
}

test('UI-7 a thread that renders nothing has no place', () => {
  expect(placeOf(thread([]))).toBeNull()
})

test('UI-7 the place is the message at the upper edge, with its pixels above that edge', () => {
  const scroller = thread([100, 200, 300])
  const at = (top: number) => {
    scroller.scrollTop = top
    return placeOf(scroller)
  }
  expect(at(0)).toEqual({ messageId: 'm0', offset: 0 })
  expect(at(99)).toEqual({ messageId: 'm0', offset: 99 })
  expect(at(100)).toEqual({ messageId: 'm1', offset: 0 })
  expect(at(420)).toEqual({ messageId: 'm2', offset: 120 })
})

test('UI-7 a message of no height is never the place', () => {
  const scroller = thread([100, 0, 300])
  scroller.scrollTop = 100
  expect(placeOf(scroller)?.messageId).toBe('m2')
})

test('UI-7 a thread that is scrolled beyond all of its rows has no place', () => {
  const scroller = thread([100])
  scroller.scrollTop = 100
  expect(placeOf(scroller)).toBeNull()
})

test('UI-7 a place whose message is not rendered is not reached, and nothing scrolls', () => {
  const scroller = thread([100, 200])
  scroller.scrollTop = 30
  expect(standAt(scroller, { messageId: 'other', offset: 10 })).toBe(false)
  expect(scroller.scrollTop).toBe(30)
})

test('UI-7 a place that is off by a pixel is reached, so that nothing moves for a rounding', () => {
  const scroller = thread([100, 200])
  scroller.scrollTop = 101
  expect(standAt(scroller, { messageId: 'm1', offset: 0 })).toBe(true)
  expect(scroller.scrollTop).toBe(101)
})

test('UI-7 a row is found by its message, whatever signs the id has', () => {
  const scroller = thread([10, 10])
  for (const id of ['a"b', "x'] y", '#m', '7']) {
    const row = rowOf(scroller, 'm0') ?? scroller
    row.id = id
    expect(rowOf(scroller, id)).toBe(row)
    row.id = 'm0'
  }
  expect(rowOf(scroller, 'none')).toBeUndefined()
})

test('UI-7 an element in a message that has the id of another is no row', () => {
  const scroller = thread([10])
  const inside = document.createElement('h2')
  inside.id = 'm9'
  scroller.firstElementChild?.append(inside)
  expect(rowOf(scroller, 'm9')).toBeUndefined()
})

test('UI-7 a place that was left is reached again from anywhere, in one correction', () => {
  const heights = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(heights, fc.nat(), fc.nat(), fc.integer({ min: -20, max: 200 }), (all, one, other, top) => {
      const height = all.reduce((sum, each) => sum + each, 0)
      const scroller = thread(all, top)
      scroller.scrollTop = one % height
      const place = placeOf(scroller)
      if (place === null) throw new Error('A row was to be at the edge.')
      const left = scroller.scrollTop
      scroller.scrollTop = other % height
      standAt(scroller, place)
      expect(standAt(scroller, place)).toBe(true)
      expect(Math.abs(scroller.scrollTop - left)).toBeLessThanOrEqual(1)
      expect(place.offset).toBeGreaterThanOrEqual(0)
    }),
  )
})
