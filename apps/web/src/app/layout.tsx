import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { acceptedLanguages, languageOf, readLanguageChoice } from '../stores/language-choice.ts'
import {
  LANGUAGE_COOKIE,
  readTextSize,
  readTheme,
  TEXT_SIZE_COOKIE,
  THEME_COOKIE,
} from '../stores/preferences.ts'
import './globals.css'

/** Every page is rendered for its request: the nonce of its content security policy is new each time. */
export const dynamic = 'force-dynamic'

export const metadata: Metadata = {
  title: 'Palimpsest',
  description: 'An agent chat in which nothing is ever lost.',
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  interactiveWidget: 'resizes-content',
  colorScheme: 'light dark',
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const jar = await cookies()
  const theme = readTheme(jar.get(THEME_COOKIE)?.value)
  const choice = readLanguageChoice(jar.get(LANGUAGE_COOKIE)?.value)
  const accepted = acceptedLanguages((await headers()).get('accept-language'))
  const textSize = readTextSize(jar.get(TEXT_SIZE_COOKIE)?.value)
  return (
    <html
      lang={languageOf(choice, accepted)}
      data-language={choice}
      {...(theme !== 'system' && { 'data-theme': theme })}
      {...(textSize !== 'normal' && { 'data-text-size': textSize })}
    >
      <body>{children}</body>
    </html>
  )
}
