import { type KeyValueStorage, readStored, writeStored } from '../state/browser-storage.ts'
import { createStore, type Store } from '../state/create-store.ts'

/** Whether this browser may notify, as a person said; null while nobody was asked. */
export type NotifyConsent = 'on' | 'off' | null

/** What calls the person to a chat. */
export type Attention = {
  /** Chats other than the shown one that wait for the person or whose long reply has ended unseen; the title has the number. */
  readonly elsewhere: Store<number>
  /** Grows with each request of a run, and with each that is over. */
  readonly asksChanged: Store<number>
  /** Whether the list of what waits is open. */
  readonly listOpen: Store<boolean>
  readonly consent: Store<NotifyConsent>
}

const KEY = 'palimpsest.notify'

export function createAttention(storage: KeyValueStorage): Attention {
  const stored = readStored(storage, KEY)
  const consent = createStore<NotifyConsent>(stored === 'on' || stored === 'off' ? stored : null)
  consent.subscribe(() => writeStored(storage, KEY, consent.get()))
  return { elsewhere: createStore(0), asksChanged: createStore(0), listOpen: createStore(false), consent }
}
