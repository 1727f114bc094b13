'use client'

import { NotFoundView } from '@palimpsest/ui'
import { useSyncExternalStore } from 'react'
import { alonePages } from '../words/alone.ts'

const never = () => () => undefined

/** The page of an address that leads nowhere. */
export function NotFoundPage() {
  const language = useSyncExternalStore(
    never,
    () => document.documentElement.lang,
    () => 'en',
  )
  return (
    <main className="fixed inset-0 flex">
      <NotFoundView homeHref="/" words={alonePages(language).pages.notFound} />
    </main>
  )
}
