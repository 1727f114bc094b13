import type { PaletteCommand } from '@palimpsest/ui'
import { importSession } from '../list/carry-session.ts'
import type { WorkspaceAccess } from '../list/workspace-context.tsx'
import type { App } from '../stores/app.ts'
import { words } from '../words/en.ts'
import { historyWords } from '../words/en-history.ts'

const { commands, shortcuts } = words
const THEMES = ['system', 'light', 'dark'] as const

/** A session as commands see it; `subagent` for the session of a subagent's run. */
type CommandedSession = { id: string; archived: boolean; subagent?: boolean }

/** What can be done on the page, with a session or with a new chat (null). */
export function pageCommands(
  app: App,
  workspace: WorkspaceAccess,
  session: CommandedSession | null,
): PaletteCommand[] {
  const { dialogs, newChat, openBin, openSettings, setTheme, makeWish } = workspace
  const { group } = commands
  return [
    { id: 'new', label: shortcuts.newChat, group, keys: 'mod+shift+o', onRun: newChat },
    {
      id: 'choose-model',
      label: commands.chooseModel,
      group,
      onRun: () => makeWish('choose-model'),
    },
    ...(session === null ? [] : sessionCommands(workspace, session)),
    { id: 'import', label: commands.import, group, onRun: () => void importSession(app) },
    { id: 'bin', label: commands.bin, group, keywords: 'trash deleted', onRun: openBin },
    {
      id: 'add-model',
      label: commands.addModel,
      group,
      onRun: () => openSettings('models'),
    },
    { id: 'settings', label: commands.settings, group, keys: 'mod+,', onRun: () => openSettings('general') },
    { id: 'shortcuts', label: shortcuts.help, group, keys: '?', onRun: dialogs.shortcuts },
    ...THEMES.map((theme) => ({
      id: `theme-${theme}`,
      label: commands.theme[theme],
      group,
      onRun: () => setTheme(theme),
    })),
  ]
}

function sessionCommands(
  { actions, makeWish, openInspect }: WorkspaceAccess,
  { id, archived, subagent = false }: CommandedSession,
): PaletteCommand[] {
  const { group } = commands
  return [
    { id: 'rename', label: commands.rename, group, onRun: () => makeWish('rename') },
    { id: 'export', label: commands.export, group, onRun: () => actions.onExport(id) },
    {
      id: 'permissions',
      label: commands.permissions,
      group,
      keywords: 'rules allow',
      onRun: () => makeWish('permissions'),
    },
    {
      id: 'processes',
      label: commands.processes,
      group,
      keywords: 'processes bash',
      onRun: () => makeWish('processes'),
    },
    {
      id: 'inspect',
      label: historyWords.ways.inspect,
      group,
      keywords: 'steps prompt tools tokens rows',
      onRun: () => openInspect(id),
    },
    { id: 'copy-link', label: commands.copyLink, group, onRun: () => actions.onCopyLink(id) },
    // The session of a subagent goes with the chat that it belongs to.
    ...(subagent ? [] : lifecycleCommands(actions, id, archived)),
  ]
}

function lifecycleCommands(
  actions: WorkspaceAccess['actions'],
  id: string,
  archived: boolean,
): PaletteCommand[] {
  const { group } = commands
  return [
    archived
      ? { id: 'unarchive', label: commands.unarchive, group, onRun: () => actions.onUnarchive(id) }
      : { id: 'archive', label: commands.archive, group, onRun: () => actions.onArchive(id) },
    { id: 'delete', label: commands.delete, group, onRun: () => actions.onDelete(id) },
  ]
}
