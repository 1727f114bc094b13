import { CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { IconButton } from '../primitives/icon-button.tsx'

/** Milliseconds that a toast is shown while it has neither pointer nor focus. */
const SHOWN_MS = 6_000

export type Toast = {
  id: string
  message: string
  /** `done` unless it says otherwise. */
  tone?: 'done' | 'info' | 'error'
  /** The way back, such as Undo. */
  action?: { label: string; onAction: () => void }
}

const ICONS = {
  done: <CircleCheck aria-hidden size={16} className="text-good" />,
  info: <Info aria-hidden size={16} className="text-muted" />,
  error: <TriangleAlert aria-hidden size={16} className="text-danger" />,
} as const

export type ToastRegionProps = {
  toasts: readonly Toast[]
  onDismiss: (id: string) => void
}

/** Short notes in the corner, read out politely. */
export function ToastRegion({ toasts, onDismiss }: ToastRegionProps) {
  const { toast } = useMessages()
  return (
    <section
      aria-label={toast.label}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 top-14 z-60 flex flex-col items-center gap-2 md:left-auto md:items-end"
    >
      {toasts.map((item) => (
        <ToastItem key={item.id} toast={item} onDismiss={onDismiss} />
      ))}
    </section>
  )
}

function ToastItem({ toast, onDismiss }: { toast: Toast; onDismiss: (id: string) => void }) {
  const messages = useMessages()
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const held = pointed || focused
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => onDismiss(toast.id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [held, toast.id, onDismiss])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at a toast only keeps it from leaving
    <div
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      className="enter popup pointer-events-auto flex max-w-96 items-center gap-2.5 py-1.5 pr-1.5 pl-3.5 text-base"
    >
      {ICONS[toast.tone ?? 'done']}
      <span className="min-w-0 grow">{toast.message}</span>
      {toast.action && (
        <Button
          small
          variant="quiet"
          onClick={() => {
            toast.action?.onAction()
            onDismiss(toast.id)
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton small label={messages.toast.dismiss} onClick={() => onDismiss(toast.id)}>
        <X aria-hidden size={15} />
      </IconButton>
    </div>
  )
}
