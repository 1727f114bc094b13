// @vitest-environment happy-dom
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import {
  applyTextSize,
  applyTheme,
  currentTextSize,
  keepPreference,
  readSidebarCollapsed,
  readTextSize,
  readTheme,
  SIDEBAR_COOKIE,
  TEXT_SIZE_COOKIE,
  TEXT_SIZES,
  THEME_COOKIE,
} from './preferences.ts'

const THEMES = ['system', 'light', 'dark'] as const

afterEach(() => {
  vi.restoreAllMocks()
  delete document.documentElement.dataset['theme']
  delete document.documentElement.dataset['textSize']
})

/** What is written as cookies from now on. */
function watchCookies(): string[] {
  const written: string[] = []
  vi.spyOn(document, 'cookie', 'set').mockImplementation((cookie) => void written.push(cookie))
  return written
}

const cookieValue = (cookie: string | undefined) => cookie?.split(';')[0]?.split('=')[1]

test.for(TEXT_SIZES)('UI-31 the text size %s is shown at once and reads back on the next visit', (size) => {
  const written = watchCookies()
  applyTextSize(size)
  expect(currentTextSize()).toBe(size)
  expect(written).toHaveLength(1)
  expect(written[0]).toMatch(new RegExp(`^${TEXT_SIZE_COOKIE}=`))
  expect(readTextSize(cookieValue(written[0]))).toBe(size)
})

test.for(THEMES)('UI-31 the theme %s is shown at once and reads back on the next visit', (theme) => {
  const written = watchCookies()
  applyTheme(theme)
  expect(document.documentElement.dataset['theme']).toBe(theme === 'system' ? undefined : theme)
  expect(written).toHaveLength(1)
  expect(written[0]).toMatch(new RegExp(`^${THEME_COOKIE}=`))
  expect(readTheme(cookieValue(written[0]))).toBe(theme)
})

test('UI-31 the normal size and the theme of the system mark the page with nothing, whatever was chosen before', () => {
  watchCookies()
  applyTextSize('largest')
  applyTheme('dark')
  applyTextSize('normal')
  applyTheme('system')
  expect({ ...document.documentElement.dataset }).toEqual({})
})

test('UI-31 a cookie of anything else is the normal size, the theme of the system and an open sidebar', () => {
  const known: readonly string[] = [...TEXT_SIZES, ...THEMES, 'collapsed']
  const other = fc.option(
    fc.string().filter((value) => !known.includes(value)),
    { nil: undefined },
  )
  fc.assert(
    fc.property(other, (cookie) => {
      expect([readTextSize(cookie), readTheme(cookie), readSidebarCollapsed(cookie)]).toEqual([
        'normal',
        'system',
        false,
      ])
    }),
  )
  expect(readTextSize('toString')).toBe('normal')
})

test('UI-31 what an attribute of the page holds that is no size is the normal one', () => {
  document.documentElement.dataset['textSize'] = 'gigantic'
  expect(currentTextSize()).toBe('normal')
})

test('UI-31 a preference is kept for a year, on every page of this site and on no other', () => {
  const written = watchCookies()
  keepPreference(SIDEBAR_COOKIE, 'collapsed')
  expect(written).toEqual(['palimpsest-sidebar=collapsed; path=/; max-age=31536000; samesite=strict'])
  expect(readSidebarCollapsed(cookieValue(written[0]))).toBe(true)
})
