import { Toast as Base } from '@base-ui/react/toast'
import { CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { visibleWords } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { Button } from '../primitives/button.tsx'

/** Milliseconds that a toast is shown while neither the pointer nor the focus is in the region. */
const SHOWN_MS = 6_000

/** Toasts that are visible at once; the oldest ones above it are hidden until there is space. */
const VISIBLE = 4

export type Toast = {
  id: string
  message: string
  /** `done` unless it says otherwise. */
  tone?: 'done' | 'info' | 'error'
  /** The way back, such as Undo. */
  action?: { label: string; onAction: () => void }
}

export type ToastLayerProps = {
  /** The oldest first. */
  toasts: readonly Toast[]
  onDismiss: (id: string) => void
}

const ICONS = {
  done: <CircleCheck aria-hidden size={16} className="text-good" />,
  info: <Info aria-hidden size={16} className="text-muted" />,
  error: <TriangleAlert aria-hidden size={16} className="text-danger" />,
} as const

export function ToastLayer(props: ToastLayerProps) {
  return (
    <Base.Provider timeout={SHOWN_MS} limit={VISIBLE}>
      <ToastViewport {...props} />
    </Base.Provider>
  )
}

function ToastViewport({ toasts, onDismiss }: ToastLayerProps) {
  const { toast: words } = useMessages()
  const { toasts: shown, add, close } = Base.useToastManager<Toast>()
  const added = useRef(new Set<string>())
  useEffect(() => {
    for (const toast of toasts) {
      if (added.current.has(toast.id)) continue
      added.current.add(toast.id)
      add({ id: toast.id, data: toast, onClose: () => onDismiss(toast.id) })
    }
    for (const id of added.current) {
      if (toasts.some((toast) => toast.id === id)) continue
      added.current.delete(id)
      close(id)
    }
  }, [toasts, add, close, onDismiss])
  // In the bar over the thread, between sidebar and panel: it covers no text of the chat. On a phone that is full of buttons.
  return (
    <Base.Viewport
      aria-label={words.label}
      className="pointer-events-none fixed inset-x-3 top-header z-60 flex flex-col items-center gap-2 outline-none md:top-1 md:in-[body:has([data-sidebar=open])]:left-sidebar lg:in-[body:has(main_aside)]:right-panel"
    >
      {shown.toReversed().map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </Base.Viewport>
  )
}

function ToastItem({ toast }: { toast: Base.Root.ToastObject<Toast> }) {
  const words = useMessages().toast
  const { close } = Base.useToastManager()
  if (toast.data === undefined) return null
  const { message, tone, action } = toast.data
  return (
    <Base.Root
      toast={toast}
      // A note, of which a reader hears the words: nothing opens.
      role="group"
      render={({ 'aria-modal': _modal, ...props }) => <div {...props} />}
      swipeDirection={['up', 'down', 'right']}
      className="enter popup pointer-events-auto flex max-w-96 translate-x-(--toast-swipe-movement-x) translate-y-(--toast-swipe-movement-y) items-center gap-2.5 py-1.5 pr-1.5 pl-3.5 text-base data-limited:hidden"
    >
      {ICONS[tone ?? 'done']}
      <Base.Title render={<span />} className="min-w-0 grow">
        {visibleWords(message)}
      </Base.Title>
      {action && (
        <Button
          small
          variant="quiet"
          onClick={() => {
            action.onAction()
            close(toast.id)
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton small label={words.dismiss} onClick={() => close(toast.id)}>
        <X aria-hidden size={15} />
      </IconButton>
    </Base.Root>
  )
}
