// @vitest-environment happy-dom
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Shortcut } from './shortcuts.ts'
import { useShortcuts } from './use-shortcuts.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function Page({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  useShortcuts(shortcuts)
  return (
    <>
      <textarea aria-label="Message" />
      <input aria-label="Name" />
      <select aria-label="Model" />
      <button type="button">Press</button>
    </>
  )
}

const shortcut = (keys: string, when?: () => boolean) => {
  const run = vi.fn()
  return { keys, label: keys, run, ...(when !== undefined && { when }) }
}

/** Presses a key; true when the browser was left to do with it what it does. */
const press = (key: string, held: object = {}, target: Element = document.body) =>
  fireEvent.keyDown(target, { key, ...held })

test('UI-3 a shortcut runs once for each press and is kept from the browser; another key is left to it', () => {
  const palette = shortcut('mod+k')
  render(<Page shortcuts={[palette]} />)
  expect(press('k', { ctrlKey: true })).toBe(false)
  expect(palette.run).toHaveBeenCalledOnce()
  expect(press('k')).toBe(true)
  expect(press('j', { ctrlKey: true })).toBe(true)
  expect(palette.run).toHaveBeenCalledOnce()
})

test.for(['textarea', 'input', 'select'])('UI-3 a sign that is typed into a %s is text', (tag) => {
  const help = shortcut('?')
  render(<Page shortcuts={[help]} />)
  const field = document.querySelector(tag) ?? document.body
  expect(press('?', { shiftKey: true }, field)).toBe(true)
  expect(help.run).not.toHaveBeenCalled()
})

test('UI-3 a sign is a shortcut at a button, and one that is held with Ctrl in a field too', () => {
  const [help, also] = [shortcut('?'), shortcut('mod+/')]
  render(<Page shortcuts={[help, also]} />)
  expect(press('?', {}, document.querySelector('button') ?? document.body)).toBe(false)
  expect(press('/', { ctrlKey: true }, document.querySelector('textarea') ?? document.body)).toBe(false)
  expect([help.run, also.run].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

test('UI-3 text that is edited in place belongs to it', () => {
  const help = shortcut('?')
  render(<Page shortcuts={[help]} />)
  const prose = document.createElement('p')
  Object.defineProperty(prose, 'isContentEditable', { value: true })
  document.body.append(prose)
  expect(press('?', {}, prose)).toBe(true)
  prose.remove()
  expect(help.run).not.toHaveBeenCalled()
})

test('UI-3 a shortcut that does not apply leaves its keys to the next one, and else to the browser', () => {
  const first = shortcut('mod+f', () => false)
  const second = shortcut('mod+f')
  const page = render(<Page shortcuts={[first, second]} />)
  expect(press('f', { ctrlKey: true })).toBe(false)
  expect([first.run, second.run].map(({ mock }) => mock.calls.length)).toEqual([0, 1])
  page.rerender(<Page shortcuts={[first]} />)
  expect(press('f', { ctrlKey: true })).toBe(true)
})

test('UI-3 of two shortcuts with the same keys the first one runs', () => {
  const [first, second] = [shortcut('mod+k'), shortcut('mod+k')]
  render(<Page shortcuts={[first, second]} />)
  press('k', { ctrlKey: true })
  expect([first.run, second.run].map(({ mock }) => mock.calls.length)).toEqual([1, 0])
})

test('UI-3 whether a shortcut applies is asked at each press', () => {
  let open = false
  const find = shortcut('esc', () => open)
  render(<Page shortcuts={[find]} />)
  expect(press('Escape')).toBe(true)
  open = true
  expect(press('Escape')).toBe(false)
  expect(find.run).toHaveBeenCalledOnce()
})

test('UI-3 a key that something nearer has used already runs nothing', () => {
  const close = shortcut('esc')
  render(<Page shortcuts={[close]} />)
  const button = document.querySelector('button') ?? document.body
  button.addEventListener('keydown', (event) => event.preventDefault())
  press('Escape', {}, button)
  expect(close.run).not.toHaveBeenCalled()
})

test('UI-3 the newest shortcuts are those that run, and none does once the page is left', () => {
  const [before, after] = [shortcut('mod+k'), shortcut('mod+k')]
  const page = render(<Page shortcuts={[before]} />)
  page.rerender(<Page shortcuts={[after]} />)
  press('k', { ctrlKey: true })
  page.unmount()
  expect(press('k', { ctrlKey: true })).toBe(true)
  expect([before.run, after.run].map(({ mock }) => mock.calls.length)).toEqual([0, 1])
})

test('UI-3 on a Mac the same shortcut is held with ⌘ and not with Ctrl', () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Macintosh; Intel Mac OS X')
  const palette = shortcut('mod+k')
  render(<Page shortcuts={[palette]} />)
  expect(press('k', { ctrlKey: true })).toBe(true)
  expect(press('k', { metaKey: true })).toBe(false)
  expect(palette.run).toHaveBeenCalledOnce()
})
