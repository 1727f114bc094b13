import { FlaskConical } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Mark } from './wordmark.tsx'

export type Suggestion = {
  id: string
  title: string
  /** One line on what it shows. */
  hint: string
  icon?: ReactNode
}

export type EmptyStateProps = {
  suggestions: readonly Suggestion[]
  onSuggest: (id: string) => void
  composer: ReactNode
  /** True while the chosen model is the demo. */
  demo?: boolean
  /** Address of the page on adding a model. */
  addModelHref?: string
  greeting?: string
}

/** A new chat: greeting, composer, and suggestions that show what the product does. */
export function EmptyState(props: EmptyStateProps) {
  const { empty } = useMessages()
  return (
    <div className="flex grow flex-col overflow-y-auto px-4">
      <div className="mx-auto my-auto w-full max-w-column py-8">
        <div className="mb-8 text-center">
          <span className="mb-4 inline-flex">
            <Mark size={40} />
          </span>
          <h1 className="font-text text-display leading-tight font-normal tracking-tight text-balance">
            {props.greeting ?? empty.greeting}
          </h1>
          <p className="mx-auto mt-3 max-w-[34rem] font-text text-prose leading-snug text-muted text-balance">
            {empty.lead}
          </p>
        </div>
        <div className="-mx-3 md:mx-0">{props.composer}</div>
        {props.demo && <DemoNote addModelHref={props.addModelHref} />}
        <ul aria-label={empty.suggestions} className="mt-5 grid gap-2 md:grid-cols-2">
          {props.suggestions.map((suggestion) => (
            <li key={suggestion.id}>
              <SuggestionCard suggestion={suggestion} onSuggest={props.onSuggest} />
            </li>
          ))}
        </ul>
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
      className="group flex size-full items-start gap-3 rounded-lg border border-line px-3.5 py-3 text-left transition hover:border-line-strong hover:bg-raised"
    >
      <span className="mt-0.5 text-faint transition group-hover:text-ink">{suggestion.icon}</span>
      <span className="min-w-0">
        <span className="block font-medium">{suggestion.title}</span>
        <span className="block text-sm text-balance text-muted">{suggestion.hint}</span>
      </span>
    </button>
  )
}

function DemoNote({ addModelHref }: { addModelHref: string | undefined }) {
  const { empty } = useMessages()
  return (
    <p className="mt-3 flex items-start justify-center gap-2 text-sm text-muted">
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
