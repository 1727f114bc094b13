import type { Store } from '../state/create-store.ts'
import type { NotifyConsent } from './attention.ts'

/** What a browser says about notifications of this page; `missing` where it has none. */
export type NotificationRight = NotificationPermission | 'missing'

export function notificationRight(): NotificationRight {
  return typeof Notification === 'undefined' ? 'missing' : Notification.permission
}

/** Asks the browser, which asks the person, and keeps the answer. Only in a press of theirs. */
export async function turnNotificationsOn(consent: Store<NotifyConsent>): Promise<NotificationRight> {
  if (notificationRight() === 'default') await Notification.requestPermission()
  const right = notificationRight()
  consent.set(right === 'granted' ? 'on' : 'off')
  return right
}
