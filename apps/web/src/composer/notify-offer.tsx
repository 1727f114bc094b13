import { Button } from '@palimpsest/ui'
import { BellRing } from 'lucide-react'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { notificationRight, turnNotificationsOn } from '../stores/notifications.ts'
import { attentionWords as words } from '../words/en-attention.ts'

/**
 * Offers notifications where a chat waits, until the person has said yes or no, once for a browser. Not on narrow screens, where
 * the request needs the space, and few browsers show notifications of a page.
 */
export function NotifyOffer() {
  const { attention, toasts } = useApp()
  const consent = useStore(attention.consent)
  if (consent !== null || notificationRight() !== 'default') return null
  async function turnOn(): Promise<void> {
    const right = await turnNotificationsOn(attention.consent)
    if (right === 'denied') toasts.add({ tone: 'info', message: words.blocked })
  }
  return (
    <div
      data-offer
      className="mx-auto mb-2 flex max-w-column items-center gap-3 px-1 text-sm text-muted max-md:hidden"
    >
      <BellRing aria-hidden size={15} className="shrink-0" />
      <p className="min-w-0 grow">{words.offer}</p>
      <div className="flex shrink-0 gap-1">
        <Button small onClick={() => void turnOn()}>
          {words.turnOn}
        </Button>
        <Button small variant="quiet" onClick={() => attention.consent.set('off')}>
          {words.notNow}
        </Button>
      </div>
    </div>
  )
}
