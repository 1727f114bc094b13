import { sessionMode } from '@palimpsest/core/domain'
import { ModeMenu } from '@palimpsest/ui'
import { useWorkspace } from '../list/workspace-context.tsx'
import type { SessionState } from '../session/session-state.ts'
import { useApp } from '../stores/app-context.tsx'

/** Chooses the mode that a new chat begins in. */
export const NewMode = ModeMenu

/** What the chat may do without asking. */
export function SessionMode({ session }: { session: NonNullable<SessionState['session']> }) {
  const { sessionApi, toasts } = useApp()
  const { makeWish } = useWorkspace()
  return (
    <ModeMenu
      mode={sessionMode(session.permissions)}
      onChange={(mode) => void toasts.guard(sessionApi.setMode(session.id, mode))}
      onShowRules={() => makeWish('permissions')}
    />
  )
}
