import { CommandPalette, type PaletteCommand, type SidebarSession, useMessages } from '@palimpsest/ui'
import { useMemo, useState } from 'react'
import { useSearch } from '../list/use-search.ts'
import { useWorkspace } from '../list/workspace-context.tsx'
import { foundName } from '../session/version-name.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { words } from '../words/en.ts'
import { historyWords } from '../words/en-history.ts'
import { pageCommands } from './page-commands.ts'

export type PalettePanelProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** The command palette with every command of the page, and chats as they are found. */
export function PalettePanel({ open, onOpenChange }: PalettePanelProps) {
  const app = useApp()
  const workspace = useWorkspace()
  const { sessionId } = useStore(app.router)
  const { sessions, statuses } = useStore(app.chats)
  const historyCommands = useStore(app.history.commands)
  const archive = useStore(app.archive)
  const [query, setQuery] = useState('')
  const { versions } = useMessages().history
  const { results } = useSearch(open ? query : '', 'chats', statuses)
  const commands = useMemo<PaletteCommand[]>(() => {
    const toChat = ({ id, title, found }: Pick<SidebarSession, 'id' | 'title' | 'found'>) => ({
      id,
      label: title,
      group: words.commands.chats,
      onRun: () => workspace.actions.onSelect(id, found?.messageId),
    })
    // A chat that the server found by its text is shown whatever its title is; the server has no branch numbers.
    const found = (results ?? []).map((chat) => ({ ...toChat(chat), keywords: query }))
    const listed = sessions
      .filter(({ id }) => !found.some((chat) => chat.id === id))
      .map((session) => toChat({ ...session, title: foundName(session, sessions, versions) }))
    const chats = [...found, ...listed]
    const history = (sessionId === null ? [] : historyCommands).map(({ name, description, run }) => ({
      id: `history-${name}`,
      label: description,
      group: historyWords.group,
      keywords: name,
      onRun: run,
    }))
    const archived = archive.sessions.some(({ id }) => id === sessionId)
    const opened = sessionId === null ? null : app.sessions.peek(sessionId)?.get().session
    const subagent = opened?.metadata.subagent !== undefined
    const session = sessionId === null ? null : { id: sessionId, archived, subagent }
    return [...pageCommands(app, workspace, session), ...history, ...chats]
  }, [app, workspace, historyCommands, sessionId, sessions, archive, results, query, versions])
  return (
    <CommandPalette
      open={open}
      onOpenChange={(next) => {
        setQuery('')
        onOpenChange(next)
      }}
      commands={commands}
      onQueryChange={setQuery}
    />
  )
}
