import { useMessages } from '../messages/messages-context.tsx'
import type { SidebarList } from './group-sessions.ts'

/** Shown when there are no sessions. `query` is the search, trimmed. */
export function SidebarEmpty({ query, shown }: { query: string; shown: SidebarList }) {
  const { sidebar, bin } = useMessages()
  const [title, hint] =
    query !== ''
      ? [sidebar.noMatches(query), sidebar.noMatchesHint]
      : {
          chats: [sidebar.empty, sidebar.emptyHint],
          archive: [sidebar.emptyArchive, sidebar.emptyArchiveHint],
          bin: [bin.empty, bin.emptyHint],
        }[shown]
  return (
    <div className="px-2.5 py-2">
      <p className="text-muted">{title}</p>
      <p className="mt-0.5 text-sm text-faint">{hint}</p>
    </div>
  )
}
