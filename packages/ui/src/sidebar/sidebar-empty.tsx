import { useMessages } from '../messages/messages-context.tsx'

/** Shown when there are no sessions. `query` is the search, trimmed. */
export function SidebarEmpty({ query, archived }: { query: string; archived: boolean }) {
  const { sidebar } = useMessages()
  const [title, hint] =
    query !== ''
      ? [sidebar.noMatches(query), sidebar.noMatchesHint]
      : archived
        ? [sidebar.emptyArchive, sidebar.emptyArchiveHint]
        : [sidebar.empty, sidebar.emptyHint]
  return (
    <div className="px-2.5 py-2">
      <p className="text-muted">{title}</p>
      <p className="mt-0.5 text-sm text-faint">{hint}</p>
    </div>
  )
}
