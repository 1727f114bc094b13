import type { SessionStatus } from '@palimpsest/core/domain'
import type { Messages } from '../messages/en.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'

type Look = { text: keyof Messages['status']; dot: string }

/** How a state looks in a list; an idle session shows nothing. */
function statusLook(status: SessionStatus): Look | null {
  switch (status.state) {
    case 'idle':
      return null
    case 'busy':
      return { text: 'running', dot: 'bg-good breathe' }
    case 'waiting':
      return { text: 'waiting', dot: 'bg-caution' }
    case 'retrying':
      return { text: 'retrying', dot: 'bg-caution breathe' }
    case 'error':
      return { text: 'error', dot: 'bg-danger' }
  }
}

/** A coloured dot with a text for screen readers. */
export function StatusDot({ status }: { status: SessionStatus }) {
  const messages = useMessages()
  const look = statusLook(status)
  if (!look) return null
  return (
    <span className="inline-flex shrink-0 items-center" title={messages.status[look.text]}>
      <span aria-hidden className={cx('size-1.5 rounded-full', look.dot)} />
      <span className="sr-only">{messages.status[look.text]}</span>
    </span>
  )
}
