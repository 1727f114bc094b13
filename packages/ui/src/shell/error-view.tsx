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
      <WarningSign />
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

/** Drawn here: the library of icons would be loaded a second time, for the page that stands in for a broken one. */
function WarningSign() {
  return (
    <svg
      aria-hidden="true"
      className="size-5.5 text-danger"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M12 3.5 22 20.5H2ZM12 10v4.5M12 17.5v.01" />
    </svg>
  )
}
