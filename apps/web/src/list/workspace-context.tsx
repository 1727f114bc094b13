import type { Theme } from '@palimpsest/ui'
import { createContext, use } from 'react'
import type { SettingsSection } from '../stores/route.ts'
import type { SessionActions } from './use-session-actions.ts'

/** What opens over the page. */
export type Dialogs = { palette(): void; shortcuts(): void }

/** What a command from elsewhere asks of the page: the field for the title, the list of models, the bin, what fills the window, or a dialog of the chat. */
export type Wish = 'rename' | 'choose-model' | 'bin' | 'permissions' | 'processes' | 'window'

/** What components inside the frame may ask of it. */
export type WorkspaceAccess = {
  actions: SessionActions
  dialogs: Dialogs
  newChat(): void
  openSettings(section: SettingsSection): void
  /** Shows what is stored of a session. */
  openInspect(sessionId: string): void
  /** Goes back to what was shown before the settings. */
  leaveSettings(): void
  /** Shows the bin in the sidebar. */
  openBin(): void
  /** What is to be open on the page, and the way to ask for it. */
  wish: Wish | null
  makeWish(wish: Wish | null): void
  theme: Theme
  setTheme(theme: Theme): void
}

const WorkspaceContext = createContext<WorkspaceAccess | null>(null)

export const WorkspaceProvider = WorkspaceContext.Provider

/** The frame around this component; only inside `WorkspaceProvider`. */
export function useWorkspace(): WorkspaceAccess {
  const workspace = use(WorkspaceContext)
  if (workspace === null) throw new Error('This component has to be inside of the workspace.')
  return workspace
}
