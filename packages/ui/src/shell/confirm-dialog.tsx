import { useRef } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Dialog } from '../popups/dialog.tsx'
import { Button } from '../primitives/button.tsx'

export type ConfirmDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** What will happen, and whether there is a way back. */
  description: string
  confirmLabel: string
  danger?: boolean
  /** Another way to confirm, which reaches further. */
  alternative?: { label: string; onSelect: () => void }
  onConfirm: () => void
}

/** Asks before something that has no way back, or that reaches beyond the chat. Focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { app } = useMessages()
  const cancel = useRef<HTMLButtonElement>(null)
  const close = () => props.onOpenChange(false)
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={props.title}
      description={props.description}
      initialFocus={cancel}
      className="max-w-96"
    >
      <div className="flex flex-wrap justify-end gap-2 p-5">
        <Button ref={cancel} onClick={close}>
          {app.cancel}
        </Button>
        {props.alternative && (
          <Button
            variant={props.danger ? 'danger' : 'primary'}
            onClick={() => {
              close()
              props.alternative?.onSelect()
            }}
          >
            {props.alternative.label}
          </Button>
        )}
        <Button
          variant={props.danger ? 'danger' : 'primary'}
          onClick={() => {
            close()
            props.onConfirm()
          }}
        >
          {props.confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
