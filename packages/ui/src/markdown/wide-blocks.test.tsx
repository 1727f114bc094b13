// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { CodeBlock } from './code-block.tsx'
import { TableBlock } from './table-block.tsx'

let measure: () => void

/** A scroller of 300 px, in which `width` px are held. */
function stubWidth(element: Element | null, width: number, scrolled = 0): void {
  if (element === null) throw new Error('Nothing scrolls.')
  Object.defineProperty(element, 'clientWidth', { configurable: true, value: 300 })
  Object.defineProperty(element, 'scrollWidth', { configurable: true, value: width })
  Object.defineProperty(element, 'scrollLeft', { configurable: true, value: scrolled })
  act(() => measure())
}

beforeEach(() => {
  const observers = new Set<() => void>()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #changed: () => void
      constructor(changed: () => void) {
        this.#changed = changed
      }
      observe() {
        observers.add(this.#changed)
      }
      unobserve() {}
      disconnect() {
        observers.delete(this.#changed)
      }
    },
  )
  measure = () => {
    for (const changed of observers) changed()
  }
})
afterEach(() => vi.unstubAllGlobals())

test('UI-6 code that is cut fades where it goes on, and can be wrapped or expanded', async () => {
  using page = show(<CodeBlock code="const ink = 'iron gall'" language="ts" incomplete={false} />)
  const scroller = page.container.querySelector('pre')
  const frame = scroller?.parentElement
  stubWidth(scroller, 300)
  expect(page.queryByRole('button', { name: 'Wrap lines' })).toBeNull()
  stubWidth(scroller, 900)
  expect([frame?.hasAttribute('data-more-start'), frame?.hasAttribute('data-more-end')]).toEqual([
    false,
    true,
  ])
  stubWidth(scroller, 900, 600)
  expect([frame?.hasAttribute('data-more-start'), frame?.hasAttribute('data-more-end')]).toEqual([
    true,
    false,
  ])
  const wrap = page.getByRole('button', { name: 'Wrap lines' })
  fireEvent.click(wrap)
  stubWidth(scroller, 300)
  expect(scroller?.className).toContain('wrapped')
  expect(wrap.getAttribute('aria-pressed')).toBe('true')
  fireEvent.click(page.getByRole('button', { name: 'Expand' }))
  const dialog = await page.findByRole('dialog', { name: 'Code, ts' })
  expect(dialog.textContent).toContain("const ink = 'iron gall'")
})

test('UI-6 a table that is cut can be wrapped or expanded; another offers nothing', async () => {
  using page = show(
    <TableBlock>
      <tbody>
        <tr>
          <td>Vellum</td>
        </tr>
      </tbody>
    </TableBlock>,
  )
  const scroller = page.getByRole('region', { name: 'Table' })
  stubWidth(scroller, 300)
  expect(page.queryByRole('button')).toBeNull()
  stubWidth(scroller, 700)
  fireEvent.click(page.getByRole('button', { name: 'Wrap lines' }))
  expect(scroller.className).toContain('wrapped')
  fireEvent.click(page.getByRole('button', { name: 'Expand' }))
  expect((await page.findByRole('dialog', { name: 'Table' })).textContent).toContain('Vellum')
})

test('UI-23 tables are told apart by the words of their heads', () => {
  const table = (...heads: string[]) => (
    <TableBlock>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head}>{head}</th>
          ))}
        </tr>
      </thead>
    </TableBlock>
  )
  using page = show(
    <>
      {table('Ink', 'Age')}
      {table('A head that is so long that nobody wants to hear it whole again', 'Price')}
    </>,
  )
  expect(page.getAllByRole('region').map((region) => region.getAttribute('aria-label'))).toEqual([
    'Table: Ink, Age',
    'Table: A head that is so long that nobody wants to hear it whole ag…',
  ])
})
