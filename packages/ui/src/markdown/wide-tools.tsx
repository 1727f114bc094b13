import { Maximize2, WrapText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Dialog } from '../popups/dialog.tsx'
import { IconButton } from '../popups/icon-button.tsx'

export type WideToolsProps = {
  wrapped: boolean
  onWrap: (wrapped: boolean) => void
  /** The name of what is shown. */
  title: string
  /** The same content for the whole window. */
  children: ReactNode
}

/** For what is wider than the column: break its lines, or see it as wide as the window. */
export function WideTools({ wrapped, onWrap, title, children }: WideToolsProps) {
  const { markdown } = useMessages()
  const [expanded, setExpanded] = useState<boolean | null>(null)
  return (
    <>
      <IconButton small label={markdown.wrap} aria-pressed={wrapped} onClick={() => onWrap(!wrapped)}>
        <WrapText aria-hidden size={15} />
      </IconButton>
      <IconButton small label={markdown.expand} onClick={() => setExpanded(true)}>
        <Maximize2 aria-hidden size={14} />
      </IconButton>
      {expanded !== null && (
        <Dialog closable open={expanded} onOpenChange={setExpanded} title={title} className="max-w-compare">
          <div className="prose min-h-0 overflow-auto p-5">{children}</div>
        </Dialog>
      )}
    </>
  )
}
