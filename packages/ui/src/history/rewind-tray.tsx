import { History, ListTree, Undo2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { Menu } from '../popups/menu.tsx'
import { Button } from '../primitives/button.tsx'

export type RewindTrayProps = {
  /** Messages that the last operation hid. */
  hidden: number
  /** Those that are hidden at that place in all. */
  total: number
  /** Messages that it restored; 0 for a rewind. */
  restored: number
  /** It has taken an edit back. */
  editTakenBack: boolean
  /** Files that it restored. */
  files: number
  /** True once they are shown in the thread. */
  peeking: boolean
  onPeek: () => void
  onRestore: () => void
  onTimeline: () => void
  onDismiss: () => void
  /** The items of the menu of earlier states. */
  earlier: ReactNode
}

/** Shown over the composer after a rewind: what was hidden, with Restore or Redo. */
export function RewindTray(props: RewindTrayProps) {
  const {
    hidden,
    total,
    restored,
    editTakenBack,
    files,
    peeking,
    onPeek,
    onRestore,
    onTimeline,
    onDismiss,
    earlier,
  } = props
  const { tray } = useMessages().history

  function whatWent(): string {
    if (restored === 0) return tray.hidden(hidden, total)
    return editTakenBack ? tray.editTakenBack : tray.restored(restored, hidden)
  }

  return (
    <section
      aria-label={tray.label}
      className="enter flex items-center gap-x-1 border-line border-b py-1.5 pr-1.5 pl-4"
    >
      <Undo2 aria-hidden size={15} className="shrink-0 text-rubric" />
      <p role="status" className="min-w-0 grow pl-1.5 text-sm">
        {[whatWent(), ...(files > 0 ? [tray.files(files)] : [])].join(' · ')}
      </p>
      <Button small variant="quiet" aria-pressed={peeking} onClick={onPeek}>
        {peeking ? tray.hide : tray.show}
      </Button>
      <Button small variant="quiet" className="max-md:hidden" onClick={onTimeline}>
        <ListTree aria-hidden size={14} />
        {tray.timeline}
      </Button>
      <Menu
        side="top"
        trigger={
          <IconButton small label={tray.earlier}>
            <History aria-hidden size={15} />
          </IconButton>
        }
      >
        {earlier}
      </Menu>
      <Button small className="text-rubric" onClick={onRestore}>
        {restored > 0 ? tray.redo : tray.restore}
      </Button>
      <IconButton small label={tray.dismiss} onClick={onDismiss}>
        <X aria-hidden size={15} />
      </IconButton>
    </section>
  )
}
