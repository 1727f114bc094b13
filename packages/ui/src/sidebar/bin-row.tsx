import { BIN_DAYS } from '@palimpsest/core/domain'
import { CornerDownRight, Trash2, Undo2 } from 'lucide-react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import type { SidebarSession } from './group-sessions.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export type BinRowActions = {
  onRestore: (id: string) => void
  /** Asks before a session is deleted forever. */
  onPurge: (id: string) => void
}

type BinRowProps = {
  session: SidebarSession & { deletedAt: number }
  branch: boolean
  now: number
  actions: BinRowActions
}

/** A session in the bin: when it was deleted, when it is deleted forever, and the two ways out. */
export function BinRow({ session, branch, now, actions }: BinRowProps) {
  const { bin, sidebar } = useMessages()
  const format = useFormat()
  const { id, title, deletedAt } = session
  // The list's moment may be earlier than the deletion.
  const age = Math.max(0, now - deletedAt)
  const days = Math.ceil((BIN_DAYS * DAY_MS - age) / DAY_MS)
  return (
    <div className="flex min-h-8 items-center gap-1 rounded-md py-1 pl-2.5 hover:bg-wash">
      {branch && <CornerDownRight aria-label={sidebar.branchOf} size={13} className="text-rubric" />}
      <span className="min-w-0 grow">
        <span dir="auto" className="block truncate text-muted">
          {title}
        </span>
        <span className="block text-xs text-faint">{bin.deletedOn(format.moment(deletedAt, now), days)}</span>
      </span>
      <IconButton small label={bin.restore(title)} data-session-row onClick={() => actions.onRestore(id)}>
        <Undo2 aria-hidden size={15} />
      </IconButton>
      <IconButton small label={bin.purge(title)} onClick={() => actions.onPurge(id)}>
        <Trash2 aria-hidden size={15} />
      </IconButton>
    </div>
  )
}
