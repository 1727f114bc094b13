'use client'

import { ErrorPanel } from '@palimpsest/ui'
import { words } from '../words/en.ts'

export default function PageError({ reset }: { reset: () => void }) {
  return (
    <div className="fixed inset-0 flex">
      <ErrorPanel message={words.pageFailed} onRetry={reset} />
    </div>
  )
}
