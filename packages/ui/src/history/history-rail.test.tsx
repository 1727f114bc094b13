// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { HistoryRail, type RailStop } from './history-rail.tsx'

const STOPS: RailStop[] = [
  { id: 'm1', mark: 'message', name: 'before “One”, 14:01, 0 messages' },
  { id: 'op_1', mark: 'edit', name: 'before you changed the question, 14:04, 2 messages' },
  { id: 'op_2', mark: 'summary', name: 'before the summary, 14:05, 4 messages' },
]

function rail(previewed: string | null, stops: readonly RailStop[] = STOPS) {
  const on = { onPreview: vi.fn(), onChoose: vi.fn(), onApproach: vi.fn() }
  const page = show(<HistoryRail stops={stops} previewed={previewed} {...on} />)
  const slider = page.getByRole('slider', { name: 'History of this chat' })
  return Object.assign(page, { on, slider, press: (key: string) => fireEvent.keyDown(slider, { key }) })
}

test('UI-39 from the present the keys of the rail lead to earlier states', () => {
  using now = rail(null)
  expect(now.slider.getAttribute('aria-valuetext')).toBe('Now')
  expect(now.press('ArrowDown')).toBe(false)
  expect(now.on.onPreview).not.toHaveBeenCalled()
  for (const key of ['ArrowUp', 'Home', 'PageUp']) now.press(key)
  expect(now.on.onPreview.mock.calls).toEqual([['op_2'], ['m1'], ['m1']])
})

test('UI-39 in the past the rail says at which state it is, steps on, leads back to now, and Enter restores nothing itself', () => {
  using past = rail('op_1')
  expect(past.slider.getAttribute('aria-valuetext')).toBe(STOPS[1]?.name)
  expect(past.slider.getAttribute('aria-valuenow')).toBe('1')
  for (const key of ['ArrowUp', 'ArrowDown', 'End', 'Escape']) past.press(key)
  expect(past.on.onPreview.mock.calls).toEqual([['m1'], ['op_2'], [null], [null]])
  past.press('Enter')
  expect(past.on.onChoose).toHaveBeenCalledExactlyOnceWith()
})

test('UI-39 Escape and Enter on the rail are left to the page while nothing is previewed', () => {
  using now = rail(null)
  for (const key of ['Escape', 'Enter', 'a']) expect(now.press(key)).toBe(true)
})

test('UI-39 a pointer previews the nearest state, and what it points at is named', () => {
  using page = rail(null)
  page.slider.getBoundingClientRect = () => new DOMRect(0, 100, 20, 300)
  fireEvent.pointerMove(page.slider, { clientY: 205, buttons: 0 })
  expect(page.getByText(/^before you changed the question/)).toBeDefined()
  expect(page.on.onPreview).not.toHaveBeenCalled()
  fireEvent.pointerDown(page.slider, { clientY: 205, buttons: 1 })
  fireEvent.pointerMove(page.slider, { clientY: 310, buttons: 1 })
  fireEvent.pointerMove(page.slider, { clientY: 900, buttons: 1 })
  expect(page.on.onPreview.mock.calls).toEqual([['op_1'], ['op_2']])
})

const THOUSAND = (markAt: (at: number) => RailStop['mark']) =>
  Array.from({ length: 1_000 }, (_, at): RailStop => ({ id: `m${at}`, mark: markAt(at), name: `${at}` }))

test('UI-39 of a thousand messages the rail draws at most 32 marks, and those of changes', () => {
  using page = rail(
    null,
    THOUSAND((at) => (at === 501 ? 'fork' : 'message')),
  )
  expect(page.container.querySelectorAll('[data-mark="message"]').length).toBeLessThanOrEqual(32)
  expect(page.container.querySelectorAll('[data-mark="fork"]')).toHaveLength(1)
})

test('UI-39 of a thousand changes the rail draws one in each of 96 stretches', () => {
  using page = rail(
    null,
    THOUSAND(() => 'edit'),
  )
  expect(page.container.querySelectorAll('.history-rail-mark')).toHaveLength(96)
})

test('UI-39 a pointer or the focus that comes to the rail is announced to the page', () => {
  using page = rail(null)
  fireEvent.pointerEnter(page.slider)
  fireEvent.focus(page.slider)
  expect(page.on.onApproach).toHaveBeenCalledTimes(2)
})

const HUNDRED = Array.from(
  { length: 100 },
  (_, at): RailStop => ({ id: `m${at}`, mark: 'message', name: `${at}` }),
)

test.each([
  ['PageUp', 'm50', 'm40'],
  ['PageUp', 'm3', 'm0'],
  ['PageDown', 'm50', 'm60'],
  ['PageDown', 'm89', 'm99'],
  ['PageDown', 'm90', null],
  ['PageDown', 'm95', null],
  ['Home', 'm50', 'm0'],
  ['End', 'm50', null],
  ['ArrowUp', 'm1', 'm0'],
  ['ArrowDown', 'm98', 'm99'],
  ['ArrowDown', 'm99', null],
])('UI-39 %s leads from %s to %s', (key, from, to) => {
  using page = rail(from, HUNDRED)
  expect(page.press(key)).toBe(false)
  expect(page.on.onPreview.mock.calls).toEqual([[to]])
})

test.each(['ArrowUp', 'PageUp', 'Home'])(
  'UI-39 %s at the earliest state is used and previews nothing',
  (key) => {
    using page = rail('m0', HUNDRED)
    expect(page.press(key)).toBe(false)
    expect(page.on.onPreview).not.toHaveBeenCalled()
  },
)

test.each(['altKey', 'ctrlKey', 'metaKey'])(
  'UI-39 keys of the rail with %s are left to the browser',
  (held) => {
    using page = rail('op_1')
    for (const key of ['ArrowUp', 'ArrowDown', 'Home', 'End', 'Enter', 'Escape']) {
      expect(fireEvent.keyDown(page.slider, { key, [held]: true })).toBe(true)
    }
    expect(page.on.onPreview).not.toHaveBeenCalled()
    expect(page.on.onChoose).not.toHaveBeenCalled()
  },
)

test('UI-39 a key that the rail uses acts on nothing else of the page', () => {
  using page = rail('op_1')
  const outer = vi.fn()
  document.body.addEventListener('keydown', outer)
  for (const key of ['ArrowUp', 'Home', 'Escape', 'Enter']) page.press(key)
  expect(outer).not.toHaveBeenCalled()
  page.press('Tab')
  expect(outer).toHaveBeenCalledOnce()
  document.body.removeEventListener('keydown', outer)
})

test('UI-39 without an earlier state the rail is at its end and leads nowhere', () => {
  using page = rail(null, [])
  expect(page.slider.getAttribute('aria-valuemax')).toBe('0')
  expect(page.slider.getAttribute('aria-valuetext')).toBe('Now')
  for (const key of ['ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp']) page.press(key)
  fireEvent.pointerDown(page.slider, { clientY: 3, buttons: 1 })
  expect(page.on.onPreview).not.toHaveBeenCalled()
  expect(page.container.querySelector<HTMLElement>('.history-rail-thumb')?.style.top).toBe('100%')
})

test('UI-39 from a state that the rail has no mark for, every way to now leads there', () => {
  using page = rail('gone')
  expect(page.slider.getAttribute('aria-valuenow')).toBe('3')
  for (const key of ['End', 'ArrowDown', 'PageDown', 'Escape', 'ArrowUp']) page.press(key)
  page.slider.getBoundingClientRect = () => new DOMRect(0, 0, 20, 300)
  fireEvent.pointerDown(page.slider, { clientY: 300, buttons: 1 })
  expect(page.on.onPreview.mock.calls).toEqual([[null], [null], [null], [null], ['op_2'], [null]])
})

test('UI-39 the thumb is where the state is, and the rail is marked while it is in the past', () => {
  using page = rail('op_1')
  const thumb = () => page.container.querySelector<HTMLElement>('.history-rail-thumb')?.style.top
  expect(Number.parseFloat(thumb() ?? '')).toBeCloseTo(100 / 3)
  expect(page.slider.hasAttribute('data-past')).toBe(true)
  page.rerender(<HistoryRail stops={STOPS} previewed={null} {...page.on} />)
  expect(thumb()).toBe('100%')
  expect(page.slider.hasAttribute('data-past')).toBe(false)
})

test('UI-39 what is pointed at has its name until the pointer leaves, then the previewed state', () => {
  using page = rail('op_1')
  const name = () => page.container.querySelector('.history-rail-name')?.textContent
  page.slider.getBoundingClientRect = () => new DOMRect(0, 0, 20, 300)
  expect(name()).toBe(STOPS[1]?.name)
  fireEvent.pointerMove(page.slider, { clientY: 0, buttons: 0 })
  expect(name()).toBe(STOPS[0]?.name)
  fireEvent.pointerMove(page.slider, { clientY: 290, buttons: 0 })
  expect(name()).toBe('Now')
  fireEvent.pointerLeave(page.slider)
  expect(name()).toBe(STOPS[1]?.name)
  page.rerender(<HistoryRail stops={STOPS} previewed={null} {...page.on} />)
  expect(name()).toBeUndefined()
})

test('UI-39 a pointer that goes along without a pressed button previews nothing', () => {
  using page = rail(null)
  page.slider.getBoundingClientRect = () => new DOMRect(0, 0, 20, 300)
  for (const clientY of [0, 100, 200]) fireEvent.pointerMove(page.slider, { clientY, buttons: 0 })
  expect(page.on.onPreview).not.toHaveBeenCalled()
})

test('UI-39 a rail without height, as one that is not laid out, is at now wherever it is pressed', () => {
  using page = rail('op_1')
  page.slider.getBoundingClientRect = () => new DOMRect(0, 0, 20, 0)
  fireEvent.pointerDown(page.slider, { clientY: 50, buttons: 1 })
  expect(page.on.onPreview.mock.calls).toEqual([[null]])
})

test('UI-39 the keys of the rail are described to those who do not see it', () => {
  using page = rail(null)
  const hint = document.getElementById(page.slider.getAttribute('aria-describedby') ?? '')
  expect(hint?.textContent).toMatch(/Arrow keys.*Enter.*Escape/)
  expect(page.slider.getAttribute('aria-orientation')).toBe('vertical')
  expect(page.slider.tabIndex).toBe(0)
})

test('UI-39 each mark has its kind and is no text', () => {
  const kinds = ['message', 'edit', 'fork', 'summary', 'change'] as const
  using page = rail(
    null,
    kinds.map((mark) => ({ id: mark, mark, name: mark })),
  )
  const marks = [...page.container.querySelectorAll('.history-rail-mark')]
  expect(marks.map((mark) => mark.getAttribute('data-mark'))).toEqual(kinds)
  expect(marks.every((mark) => mark.getAttribute('aria-hidden') === 'true')).toBe(true)
})

test('UI-39 any press is answered by the state that is nearest, within the rail', () => {
  fc.assert(
    fc.property(fc.integer({ min: -500, max: 900 }), fc.integer({ min: 1, max: 30 }), (clientY, count) => {
      using page = rail(null, HUNDRED.slice(0, count))
      page.slider.getBoundingClientRect = () => new DOMRect(0, 100, 20, 300)
      fireEvent.pointerDown(page.slider, { clientY, buttons: 1 })
      const place = Math.round((Math.min(300, Math.max(0, clientY - 100)) / 300) * count)
      expect(page.on.onPreview.mock.calls).toEqual(place === count ? [] : [[`m${place}`]])
    }),
    { numRuns: 40 },
  )
})
