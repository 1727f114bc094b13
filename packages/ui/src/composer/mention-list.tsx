import { Bot } from 'lucide-react'
import { useMessages } from '../messages/messages-context.tsx'
import { MenuRow, OverComposer } from './slash-menu.tsx'
import { type MentionField, type Mentions, useMention } from './use-mention.ts'

export type MentionListProps = MentionField & Mentions

/** Subagents and files over the composer while one is mentioned; the text field keeps the focus. */
export function MentionList(props: MentionListProps) {
  const { composer } = useMessages()
  const { agents, paths, list, choose } = useMention(props)
  if (agents.length + paths.length === 0) return null
  return (
    <OverComposer label={composer.files} list={list}>
      {agents.map(({ id, description }, at) => (
        <MenuRow key={`agent ${id}`} list={list} at={at} onChoose={choose}>
          <Bot aria-hidden size={14} className="shrink-0 self-center text-faint" />
          <span className="max-w-1/2 shrink-0 truncate text-sm">{id}</span>
          <span className="min-w-0 truncate text-sm text-muted">{description}</span>
        </MenuRow>
      ))}
      {paths.map((path, at) => (
        <MenuRow key={path} list={list} at={agents.length + at} onChoose={choose}>
          <span className="min-w-0 shrink-0 truncate text-sm">{path.slice(path.lastIndexOf('/') + 1)}</span>
          {path.includes('/') && (
            <span className="min-w-0 truncate font-code text-xs text-muted">{path}</span>
          )}
        </MenuRow>
      ))}
    </OverComposer>
  )
}
