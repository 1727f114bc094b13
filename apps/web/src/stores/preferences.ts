import type { Theme } from '@palimpsest/ui'

/** What the server has to know to draw a page right the first time is kept in cookies. */
export const THEME_COOKIE = 'palimpsest-theme'
export const SIDEBAR_COOKIE = 'palimpsest-sidebar'
export const TEXT_SIZE_COOKIE = 'palimpsest-text-size'

export const LANGUAGE_COOKIE = 'palimpsest-language'

export const TEXT_SIZES = ['small', 'normal', 'large', 'largest'] as const
export type TextSize = (typeof TEXT_SIZES)[number]

const YEAR_SECONDS = 31_536_000

export function readTheme(cookie: string | undefined): Theme {
  return cookie === 'light' || cookie === 'dark' ? cookie : 'system'
}

export function readTextSize(cookie: string | undefined): TextSize {
  return TEXT_SIZES.find((size) => size === cookie) ?? 'normal'
}

/** The size that the page is shown in. */
export function currentTextSize(): TextSize {
  return readTextSize(document.documentElement.dataset['textSize'])
}

/** Shows all text in a size, now and on the next visit. */
export function applyTextSize(size: TextSize): void {
  if (size === 'normal') delete document.documentElement.dataset['textSize']
  else document.documentElement.dataset['textSize'] = size
  keepPreference(TEXT_SIZE_COOKIE, size)
}

export function readSidebarCollapsed(cookie: string | undefined): boolean {
  return cookie === 'collapsed'
}

/** Keeps a preference for a year. */
export function keepPreference(cookie: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is missing in browsers that are still in use
  document.cookie = `${cookie}=${value}; path=/; max-age=${YEAR_SECONDS}; samesite=strict`
}

/** Shows the page in a theme, now and on the next visit. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  keepPreference(THEME_COOKIE, theme)
}
