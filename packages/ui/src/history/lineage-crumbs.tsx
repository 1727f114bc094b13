import { useMessages } from '../messages/messages-context.tsx'
import { isPlainClick } from '../primitives/is-plain-click.ts'

export type Crumb = { id: string; name: string; href: string }

export type LineageCrumbsProps = {
  /** From the root to the parent. */
  ancestors: readonly Crumb[]
  onSelect: (sessionId: string) => void
}

/** The ancestors of a branch, before its title. A long list keeps its two ends. */
export function LineageCrumbs({ ancestors, onSelect }: LineageCrumbsProps) {
  const { lineage } = useMessages().history
  const ends = ancestors.length > 3 ? [ancestors[0], null, ancestors.at(-1)] : ancestors
  if (ancestors.length === 0) return null
  return (
    <nav aria-label={lineage.label} className="min-w-0 max-md:hidden">
      <ol className="flex min-w-0 items-center text-sm text-muted">
        {ends.map((crumb, at) => (
          <li key={crumb?.id ?? at} className="flex min-w-0 items-center">
            {crumb ? <CrumbLink crumb={crumb} onSelect={onSelect} /> : <span className="px-1">…</span>}
            <span aria-hidden className="px-0.5 text-rubric">
              ›
            </span>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function CrumbLink({ crumb, onSelect }: { crumb: Crumb; onSelect: (sessionId: string) => void }) {
  return (
    <a
      href={crumb.href}
      title={crumb.name}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        onSelect(crumb.id)
      }}
      className="block max-w-40 truncate rounded-sm px-1.5 py-1 transition hover:bg-wash hover:text-ink"
    >
      {crumb.name}
    </a>
  )
}
