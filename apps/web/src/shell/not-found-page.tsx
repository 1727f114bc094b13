'use client'

import { NotFoundView, pageWords } from '@palimpsest/ui'

/** The page of an address that leads nowhere. */
export function NotFoundPage() {
  return (
    <main className="fixed inset-0 flex">
      <NotFoundView homeHref="/" words={pageWords.notFound} />
    </main>
  )
}
