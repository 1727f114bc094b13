// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useIsDark } from './use-is-dark.ts'
import { useMediaQuery } from './use-media-query.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  delete document.documentElement.dataset['theme']
})

/** Media queries that match while they are in `matching`, with the listeners that each has. */
function media(...initial: string[]) {
  const matching = new Set(initial)
  const listeners = new Map<string, Set<() => void>>()
  const of = (query: string) => listeners.get(query) ?? new Set<() => void>()
  vi.stubGlobal('matchMedia', (query: string) => ({
    get matches() {
      return matching.has(query)
    },
    addEventListener: (_: string, listener: () => void) => listeners.set(query, of(query).add(listener)),
    removeEventListener: (_: string, listener: () => void) => of(query).delete(listener),
  }))
  return {
    count: (query: string) => of(query).size,
    set(query: string, matches: boolean) {
      if (matches) matching.add(query)
      else matching.delete(query)
      act(() => {
        for (const listener of of(query)) listener()
      })
    },
  }
}

const NARROW = '(width < 48rem)'
const DARK = '(prefers-color-scheme: dark)'

test('UI-24 a window that becomes narrow and wide again is followed', () => {
  const screen = media()
  const { result } = renderHook(() => useMediaQuery(NARROW))
  expect(result.current).toBe(false)
  screen.set(NARROW, true)
  expect(result.current).toBe(true)
  screen.set(NARROW, false)
  expect(result.current).toBe(false)
})

test('UI-24 what already matches is so at the first drawing', () => {
  media(NARROW)
  const seen: boolean[] = []
  renderHook(() => seen.push(useMediaQuery(NARROW)))
  expect(seen).not.toContain(false)
})

test('UI-24 another query is followed in the place of the former, which has no listener left', () => {
  const screen = media('b')
  const { result, rerender, unmount } = renderHook((query: string) => useMediaQuery(query), {
    initialProps: 'a',
  })
  expect(result.current).toBe(false)
  rerender('b')
  expect(result.current).toBe(true)
  expect([screen.count('a'), screen.count('b')]).toEqual([0, 1])
  unmount()
  expect(screen.count('b')).toBe(0)
})

test.each<[theme: string | undefined, system: boolean, dark: boolean]>([
  [undefined, true, true],
  [undefined, false, false],
  ['dark', false, true],
  ['dark', true, true],
  ['light', true, false],
  ['light', false, false],
  ['system', true, true],
  ['system', false, false],
])('UI-23 with the theme %s on a system that is dark: %s, the page is dark: %s', (theme, system, dark) => {
  media(...(system ? [DARK] : []))
  if (theme !== undefined) document.documentElement.dataset['theme'] = theme
  const { result } = renderHook(() => useIsDark())
  expect(result.current).toBe(dark)
})

test('UI-23 a theme that is chosen while a diagram is shown reaches it', async () => {
  media()
  const { result, unmount } = renderHook(() => useIsDark())
  document.documentElement.dataset['theme'] = 'dark'
  await vi.waitFor(() => expect(result.current).toBe(true))
  unmount()
})

test('UI-23 a system that turns dark at night turns the page, unless its theme is light', () => {
  const screen = media()
  const { result } = renderHook(() => useIsDark())
  screen.set(DARK, true)
  expect(result.current).toBe(true)
  document.documentElement.dataset['theme'] = 'light'
  const light = renderHook(() => useIsDark())
  expect(light.result.current).toBe(false)
})
