import { useMessages } from '../messages/messages-context.tsx'
import { MenuRow, OverComposer } from './slash-menu.tsx'
import { type MentionField, type Mentions, useMention } from './use-mention.ts'

export type MentionListProps = MentionField & Mentions

/** Files over the composer while one is mentioned; the text field keeps the focus. */
export function MentionList(props: MentionListProps) {
  const { composer } = useMessages()
  const { paths, list, choose } = useMention(props)
  if (paths.length === 0) return null
  return (
    <OverComposer label={composer.files} list={list}>
      {paths.map((path, at) => (
        <MenuRow key={path} list={list} at={at} onChoose={choose}>
          <span className="min-w-0 shrink-0 truncate text-sm">{path.slice(path.lastIndexOf('/') + 1)}</span>
          {path.includes('/') && (
            <span className="min-w-0 truncate font-code text-xs text-muted">{path}</span>
          )}
        </MenuRow>
      ))}
    </OverComposer>
  )
}
