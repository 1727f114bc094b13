'use client'

import { NotFound } from '@palimpsest/ui'

/** The page of an address that leads nowhere. */
export function NotFoundPage() {
  return (
    <main className="fixed inset-0 flex">
      <NotFound homeHref="/" />
    </main>
  )
}
