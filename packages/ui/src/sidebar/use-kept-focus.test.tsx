// @vitest-environment happy-dom
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { show } from '../testing/show.tsx'
import { useKeptFocus } from './use-kept-focus.ts'

function Rows({ ids }: { ids: readonly string[] }) {
  const keptFocus = useKeptFocus()
  return (
    <>
      <div {...keptFocus}>
        <ul>
          {ids.map((id) => (
            <li key={id}>
              <button type="button" data-session-row>
                {id}
              </button>
              <button type="button">Menu of {id}</button>
            </li>
          ))}
        </ul>
      </div>
      <button type="button">Outside</button>
    </>
  )
}

function open(...ids: string[]) {
  const page = show(<Rows ids={ids} />)
  const focus = (name: string) => page.getByRole('button', { name }).focus()
  const keep = (...left: string[]) => page.rerender(<Rows ids={left} />)
  const focused = () => document.activeElement?.textContent ?? null
  return Object.assign(page, { focus, keep, focused })
}

test('UI-23 the row that takes the place of the one that went has the focus', () => {
  using page = open('a', 'b', 'c')
  page.focus('b')
  page.keep('a', 'c')
  expect(page.focused()).toBe('c')
})

test('UI-23 a row that went by its menu leaves the focus to the row that follows', () => {
  using page = open('a', 'b', 'c')
  page.focus('Menu of a')
  page.keep('b', 'c')
  expect(page.focused()).toBe('b')
})

test('UI-23 a row that stays keeps the focus, whatever goes around it', () => {
  using page = open('a', 'b', 'c')
  page.focus('b')
  page.keep('b')
  expect(page.focused()).toBe('b')
})

test('UI-23 a focus that was moved out of the list is not taken back when its row goes', () => {
  using page = open('a', 'b')
  page.focus('a')
  page.focus('Outside')
  page.keep('b')
  expect(page.focused()).toBe('Outside')
})

test('UI-23 a list that becomes empty leaves the focus to the page', () => {
  using page = open('a')
  page.focus('a')
  page.keep()
  expect(document.activeElement).toBe(document.body)
})

test('UI-23 rows that go one after the other hand the focus on each time', () => {
  using page = open('a', 'b', 'c', 'd')
  page.focus('b')
  page.keep('a', 'c', 'd')
  expect(page.focused()).toBe('c')
  page.keep('a', 'd')
  expect(page.focused()).toBe('d')
  page.keep('a')
  expect(page.focused()).toBe('a')
})

test('UI-23 whichever rows go, one of those that are left always has the focus', () => {
  const all = ['a', 'b', 'c', 'd', 'e']
  const kept = fc.subarray(all, { minLength: 1 })
  fc.assert(
    fc.property(fc.constantFrom(...all), kept, (start, left) => {
      using page = open(...all)
      page.focus(start)
      page.keep(...left)
      expect(left).toContain(page.focused())
      if (left.includes(start)) expect(page.focused()).toBe(start)
    }),
    { numRuns: 40 },
  )
})
