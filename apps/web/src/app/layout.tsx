import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { readTheme, THEME_COOKIE } from '../stores/preferences.ts'
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
  const theme = readTheme((await cookies()).get(THEME_COOKIE)?.value)
  return (
    <html lang="en" {...(theme !== 'system' && { 'data-theme': theme })}>
      <body>{children}</body>
    </html>
  )
}
