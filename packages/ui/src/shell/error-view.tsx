import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { pageWords } from '../messages/en-pages.ts'
import { Button } from '../primitives/button.tsx'

export type ErrorPanelProps = {
  title?: string
  /** What happened, in words for the reader. */
  message: string
  onRetry?: () => void
  /** More actions, beside the retry. */
  actions?: ReactNode
}

/** Fills a region that could not be shown, with what to do next, in words that are given. */
export function ErrorView({
  title,
  message,
  onRetry,
  actions,
  words,
}: ErrorPanelProps & { words: (typeof pageWords)['errorPanel'] }) {
  return (
    <div role="alert" className="flex grow flex-col items-center justify-center gap-2 p-6 text-center">
      <TriangleAlert aria-hidden size={22} className="text-danger" />
      <h2 className="font-text text-title font-medium">{title ?? words.title}</h2>
      <p className="max-w-96 text-muted">{message}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-2">
        {onRetry && (
          <Button variant="primary" onClick={onRetry}>
            {words.retry}
          </Button>
        )}
        {actions}
      </div>
    </div>
  )
}
