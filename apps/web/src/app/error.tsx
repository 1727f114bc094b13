'use client'

import { ErrorView, pageWords } from '@palimpsest/ui'

const MESSAGE = 'This page can’t be shown. Your messages are stored.'

export default function PageError({ reset }: { reset: () => void }) {
  return (
    <div className="fixed inset-0 flex">
      <ErrorView message={MESSAGE} onRetry={reset} words={pageWords.errorPanel} />
    </div>
  )
}
