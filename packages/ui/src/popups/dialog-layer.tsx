import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { Fragment, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { cx } from '../primitives/cx.ts'

export type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** Hides the title visually; it stays the accessible name. */
  hideTitle?: boolean
  description?: string
  /** A button in its corner closes it, where nothing else inside does. */
  closable?: boolean
  /** `top` keeps the place of a growing list steady. */
  place?: 'centre' | 'top'
  initialFocus?: RefObject<HTMLElement | null>
  className?: string
  children: ReactNode
}

export function DialogLayer(props: DialogProps) {
  const { open, onOpenChange, title, hideTitle = false, description, place = 'centre', initialFocus } = props
  const { history } = useMessages()
  // What is inside begins anew each time, also when it is opened while it still leaves.
  const [shown, setShown] = useState({ open, times: 0 })
  if (shown.open !== open) setShown({ open, times: shown.times + (open ? 1 : 0) })
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className="scrim fixed inset-0 z-40" />
        <Base.Popup
          {...(initialFocus && { initialFocus })}
          className={cx(
            'popup fixed left-1/2 z-40 flex w-[calc(100vw-2rem)] -translate-x-1/2 flex-col',
            place === 'top'
              ? 'top-[12dvh] max-h-[76dvh]'
              : 'top-1/2 max-h-[calc(100dvh-4rem)] -translate-y-1/2',
            props.className,
          )}
        >
          <Base.Title className={hideTitle ? 'sr-only' : 'px-5 pt-5 text-lg font-semibold'}>
            {title}
          </Base.Title>
          {description && (
            <Base.Description className="px-5 pt-2 text-base text-muted">{description}</Base.Description>
          )}
          <Fragment key={shown.times}>{props.children}</Fragment>
          {props.closable && (
            <Button
              small
              variant="quiet"
              aria-label={history.close}
              className="absolute top-3 right-3 min-w-control-small"
              onClick={() => onOpenChange(false)}
            >
              <X aria-hidden size={16} />
            </Button>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
