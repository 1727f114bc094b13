// @vitest-environment happy-dom
import { fireEvent, render } from '@testing-library/react'
import fc from 'fast-check'
import { createRef, type ReactElement } from 'react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { triggerProps } from './trigger-props.ts'
import { withProps } from './with-props.ts'

const propsOf = (element: ReactElement) => element.props

test('UI-23 a control that gets more handlers calls its own first, with the same event', () => {
  const calls: [who: string, event: unknown][] = []
  const own = <button type="button" aria-label="Act" onClick={(event) => calls.push(['own', event.target])} />
  const merged = withProps(own, { onClick: (event: Event) => calls.push(['added', event.target]) })
  using page = show(merged)
  const button = page.getByRole('button', { name: 'Act' })
  fireEvent.click(button)
  expect(calls).toEqual([
    ['own', button],
    ['added', button],
  ])
})

test('UI-23 a handler that is added to a control without one is called alone', () => {
  const onFocus = vi.fn()
  using page = show(withProps(<button type="button" />, { onFocus }))
  fireEvent.focus(page.getByRole('button'))
  expect(onFocus).toHaveBeenCalledOnce()
})

test('UI-23 a handler that a control leaves undefined does not keep an added one out', () => {
  const onClick = vi.fn()
  using page = show(withProps(<button type="button" onClick={undefined} />, { onClick }))
  fireEvent.click(page.getByRole('button'))
  expect(onClick).toHaveBeenCalledOnce()
})

test('UI-23 refs of the control and of its popup both hold the element, and neither after it has gone', () => {
  const own = createRef<HTMLButtonElement>()
  const added = createRef<HTMLElement>()
  const page = render(withProps(<button type="button" ref={own} />, { ref: added }))
  expect(own.current?.tagName).toBe('BUTTON')
  expect(added.current).toBe(own.current)
  page.unmount()
  expect([own.current, added.current]).toEqual([null, null])
})

test('UI-23 a ref that is a function is called beside one that is an object', () => {
  const own = vi.fn()
  const added = createRef<HTMLElement>()
  const page = render(withProps(<button type="button" ref={own} />, { ref: added }))
  expect(own).toHaveBeenCalledWith(added.current)
  page.unmount()
  expect(own).toHaveBeenLastCalledWith(null)
})

test('UI-23 two layers of props around one control reach it in the order in which they were put on', () => {
  const order: string[] = []
  const inner = withProps(<button type="button" onClick={() => order.push('own')} />, {
    onClick: () => order.push('inner'),
    'aria-expanded': false,
  })
  using page = show(withProps(inner, { onClick: () => order.push('outer'), 'aria-expanded': true }))
  fireEvent.click(page.getByRole('button', { expanded: true }))
  expect(order).toEqual(['own', 'inner', 'outer'])
})

test('UI-23 props that are added always win, and the others always stay as they were', () => {
  const names = fc.constantFrom('title', 'lang', 'id', 'role', 'aria-label')
  const props = fc.dictionary(names, fc.string())
  fc.assert(
    fc.property(props, props, (own, added) => {
      const element = withProps(<span {...own} />, added)
      expect(propsOf(element)).toEqual({ ...own, ...added })
      expect(element.type).toBe('span')
    }),
  )
})

test('UI-23 the element that was given stays as it was', () => {
  const onClick = vi.fn()
  const own = <button type="button" title="Own" onClick={onClick} />
  withProps(own, { title: 'Added', onClick: vi.fn() })
  expect(propsOf(own)).toMatchObject({ title: 'Own', onClick })
})

test.each(['menu', 'dialog'] as const)(
  'UI-23 a control says that a %s is behind it, and whether it is open',
  (kind) => {
    const anchor = createRef<HTMLElement>()
    const closed = triggerProps(kind, anchor, false)
    expect(closed).toEqual({ ref: anchor, 'aria-haspopup': kind, 'aria-expanded': false })
    expect(triggerProps(kind, anchor, true)).toEqual({
      ...closed,
      'aria-expanded': true,
      'data-popup-open': '',
    })
  },
)
