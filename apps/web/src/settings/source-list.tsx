import type { ReactNode } from 'react'
import { sourceWords as words } from '../words/en-sources.ts'

export type SourceRow = {
  key: string
  name: string
  description: string
  /** Where it comes from, and other facts. */
  facts: readonly string[]
  extra?: ReactNode
}

export type SourceListProps = {
  title: string
  lead: string
  empty: string
  rows: readonly SourceRow[]
  warnings: readonly { path: string; text: string }[]
}

/** What files bring of one kind, with the warnings about them. */
export function SourceList({ title, lead, empty, rows, warnings }: SourceListProps) {
  return (
    <section aria-label={title} className="space-y-3">
      <h3 className="font-medium">{title}</h3>
      <p className="text-muted">{lead}</p>
      {rows.length === 0 && <p>{empty}</p>}
      {rows.length > 0 && (
        <ul aria-label={title}>
          {rows.map((row) => (
            <li key={row.key} className="space-y-1 border-line border-t py-2.5">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="min-w-0 wrap-anywhere font-code text-sm">{row.name}</span>
                <span className="min-w-0 wrap-anywhere text-faint text-xs">{row.facts.join(' · ')}</span>
              </div>
              {row.description !== '' && (
                <p className="line-clamp-3 wrap-anywhere text-muted text-sm">{row.description}</p>
              )}
              {row.extra}
            </li>
          ))}
        </ul>
      )}
      {warnings.length > 0 && (
        <div className="rounded-md bg-wash px-3 py-2 text-sm">
          <h4 className="font-medium">{words.warnings}</h4>
          <ul aria-label={`${title}: ${words.warnings}`} className="mt-1 max-h-60 space-y-1 overflow-y-auto">
            {warnings.map(({ path, text }) => (
              <li key={`${path} ${text}`} className="wrap-anywhere">
                <span className="font-code text-xs">{path}</span> <span className="text-muted">{text}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
