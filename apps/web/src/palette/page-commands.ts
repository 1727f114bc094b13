import type { PaletteCommand } from '@palimpsest/ui'
import type { App } from '../shell/app.ts'
import { ADD_MODEL_ANCHOR } from '../shell/route.ts'
import type { WorkspaceAccess } from '../shell/workspace-context.tsx'
import { words } from '../words/en.ts'

const { commands, shortcuts } = words
const THEMES = ['system', 'light', 'dark'] as const

/** What can be done on the page, for a session or for a new chat (null). */
export function pageCommands(
  app: App,
  { actions, dialogs, newChat, setTheme }: WorkspaceAccess,
  sessionId: string | null,
): PaletteCommand[] {
  const group = commands.group
  return [
    { id: 'new', label: shortcuts.newChat, group, keys: 'mod+shift+o', onRun: newChat },
    ...(sessionId === null ? [] : sessionCommands(actions, sessionId)),
    {
      id: 'add-model',
      label: commands.addModel,
      group,
      onRun: () => app.router.push({ sessionId, anchor: ADD_MODEL_ANCHOR }),
    },
    { id: 'shortcuts', label: shortcuts.help, group, keys: '?', onRun: dialogs.shortcuts },
    ...THEMES.map((theme) => ({
      id: `theme-${theme}`,
      label: commands.theme[theme],
      group,
      onRun: () => setTheme(theme),
    })),
  ]
}

function sessionCommands(actions: WorkspaceAccess['actions'], sessionId: string): PaletteCommand[] {
  const { group } = commands
  return [
    { id: 'archive', label: commands.archive, group, onRun: () => actions.onArchive(sessionId) },
    { id: 'delete', label: commands.delete, group, onRun: () => actions.onDelete(sessionId) },
  ]
}
