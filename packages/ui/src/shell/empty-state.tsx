import { FlaskConical } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Mark } from './wordmark.tsx'

export type Suggestion = {
  id: string
  title: string
  icon?: ReactNode
}

export type EmptyStateProps = {
  suggestions: readonly Suggestion[]
  onSuggest: (id: string) => void
  composer: ReactNode
  /** True once the chosen model is known to be the demo. */
  demo?: boolean
  /** Address of the page on adding a model. */
  addModelHref?: string
  greeting?: string
}

/**
 * A new chat: greeting, composer and suggestions. It is laid out from the top, and what is known late comes last, so that nothing
 * moves.
 */
export function EmptyState(props: EmptyStateProps) {
  const { empty } = useMessages()
  return (
    <div className="flex grow flex-col overflow-y-auto px-4">
      <div className="mx-auto w-full max-w-column pt-[clamp(0.5rem,13vh,9rem)] pb-8">
        <div className="mb-8 text-center">
          <span className="mb-4 inline-flex">
            <Mark size={40} />
          </span>
          <h1 className="font-text text-display leading-tight font-normal tracking-tight text-balance">
            {props.greeting ?? empty.greeting}
          </h1>
          <p className="mx-auto mt-3 font-text text-prose leading-snug text-muted text-balance md:whitespace-nowrap">
            {empty.lead}
          </p>
        </div>
        <div className="-mx-3 md:mx-0">{props.composer}</div>
        <ul aria-label={empty.suggestions} className="mt-4 grid gap-2 md:grid-cols-3">
          {props.suggestions.map((suggestion) => (
            <li key={suggestion.id}>
              <SuggestionCard suggestion={suggestion} onSuggest={props.onSuggest} />
            </li>
          ))}
        </ul>
        {props.demo && <DemoNote addModelHref={props.addModelHref} />}
      </div>
    </div>
  )
}

type CardProps = { suggestion: Suggestion; onSuggest: (id: string) => void }

function SuggestionCard({ suggestion, onSuggest }: CardProps) {
  return (
    <button
      type="button"
      onClick={() => onSuggest(suggestion.id)}
      className="group flex size-full min-h-11 items-center gap-2.5 rounded-lg border border-line px-3.5 py-2 text-left transition hover:border-line-strong hover:bg-raised"
    >
      <span className="text-faint transition group-hover:text-ink">{suggestion.icon}</span>
      <span className="min-w-0 text-balance">{suggestion.title}</span>
    </button>
  )
}

function DemoNote({ addModelHref }: { addModelHref: string | undefined }) {
  const { empty } = useMessages()
  return (
    <p className="mt-6 flex items-start justify-center gap-2 text-sm text-muted">
      <FlaskConical aria-hidden size={15} className="mt-0.5 text-faint" />
      <span>
        <strong className="font-medium text-ink">{empty.demoTitle}</strong> {empty.demoBody}{' '}
        {addModelHref && (
          <a href={addModelHref} className="font-medium text-ink underline underline-offset-2">
            {empty.addModel}
          </a>
        )}
      </span>
    </p>
  )
}
