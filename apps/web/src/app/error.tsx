'use client'

import { ErrorView } from '@palimpsest/ui'
import { alonePages } from '../words/alone.ts'

export default function PageError({ reset }: { reset: () => void }) {
  const { failed, pages } = alonePages(typeof document === 'undefined' ? 'en' : document.documentElement.lang)
  return (
    <div className="fixed inset-0 flex">
      <ErrorView message={failed} onRetry={reset} words={pages.errorPanel} />
    </div>
  )
}
