import { useState } from 'react'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { notificationRight, turnNotificationsOn } from '../stores/notifications.ts'
import { attentionWords as words } from '../words/en-attention.ts'
import { Choice } from './field.tsx'

/** Whether this browser notifies; turning it on asks the browser, whose refusal is said. */
export function NotificationChoice() {
  const { consent } = useApp().attention
  const wanted = useStore(consent) === 'on'
  const [right, setRight] = useState(notificationRight)
  if (right === 'missing') {
    return (
      <div>
        <p className="mb-1 font-medium">{words.label}</p>
        <p className="text-sm text-muted">{words.missing}</p>
      </div>
    )
  }
  return (
    <Choice
      label={words.label}
      options={['on', 'off']}
      names={words.choices}
      value={wanted && right === 'granted' ? 'on' : 'off'}
      onChange={(choice) => {
        if (choice === 'off') consent.set('off')
        else void turnNotificationsOn(consent).then(setRight)
      }}
      hint={right === 'denied' ? words.blocked : words.hint}
    />
  )
}
