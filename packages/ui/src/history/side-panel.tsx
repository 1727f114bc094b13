import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { useMediaQuery } from '../primitives/use-media-query.ts'

/** Below this width a panel is a sheet over the page. */
const NARROW = '(width < 64rem)'

/** Whether panels are sheets, which cover the thread. */
export function usePanelIsSheet(): boolean {
  return useMediaQuery(NARROW)
}

export type SidePanelProps = {
  open: boolean
  title: string
  onClose: () => void
  children: ReactNode
}

/** A panel beside the thread; on narrow screens a sheet from below. Esc closes it and focus returns. */
export function SidePanel({ open, title, onClose, children }: SidePanelProps) {
  const narrow = usePanelIsSheet()
  if (narrow) {
    return (
      <Dialog.Root open={open} onOpenChange={(next) => next || onClose()}>
        <Dialog.Portal>
          <Dialog.Backdrop className="scrim fixed inset-0 z-30" />
          <Dialog.Popup className="sheet fixed inset-x-0 bottom-0 z-30 prose-small flex h-[82dvh] flex-col rounded-t-xl border-line border-t bg-paper shadow-popup">
            <PanelHead
              title={<Dialog.Title className="font-medium">{title}</Dialog.Title>}
              onClose={onClose}
            />
            {children}
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    )
  }
  return open ? (
    <Docked title={title} onClose={onClose}>
      {children}
    </Docked>
  ) : null
}

function Docked({ title, onClose, children }: Omit<SidePanelProps, 'open'>) {
  const panel = useRef<HTMLElement>(null)
  const within = useRef(false)
  // Before the effects of what is inside, which may want the focus for a field.
  useLayoutEffect(() => {
    const before = document.activeElement
    panel.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  // What was pressed may go with what it did: the panel keeps the focus, or Esc would no longer reach it.
  useLayoutEffect(() => {
    if (within.current && document.activeElement === document.body) panel.current?.focus()
  })
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onClose()
  }
  return (
    <aside
      ref={panel}
      aria-label={title}
      tabIndex={-1}
      onKeyDown={handleKey}
      onFocus={() => {
        within.current = true
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null) within.current = false
      }}
      className="enter prose-small flex w-panel shrink-0 flex-col border-line border-l bg-paper outline-none"
    >
      <PanelHead title={<h2 className="font-medium">{title}</h2>} onClose={onClose} />
      {children}
    </aside>
  )
}

function PanelHead({ title, onClose }: { title: ReactNode; onClose: () => void }) {
  const { history } = useMessages()
  return (
    <div className="flex h-header shrink-0 items-center justify-between border-line border-b pr-2 pl-4">
      {title}
      <IconButton label={history.close} tooltipSide="bottom" onClick={onClose}>
        <X aria-hidden size={17} />
      </IconButton>
    </div>
  )
}
