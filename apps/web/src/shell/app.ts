import type { Client } from '@palimpsest/client'
import { createId, type SessionEvent } from '@palimpsest/core/domain'
import { lazyClient } from '../client/lazy-client.ts'
import { createDrafts, type Drafts } from '../composer/drafts.ts'
import { createHistoryMemory, type HistoryMemory } from '../history/history-memory.ts'
import { createSessionListStore, type SessionListStore } from '../list/session-list-store.ts'
import { createRecentModels, type RecentModels } from '../model/model-choice.ts'
import { remoteSessionApi } from '../session/remote-session-api.ts'
import type { SessionApi } from '../session/session-api.ts'
import { createSessionStore } from '../session/session-store.ts'
import { createSessionStores, type SessionStores } from '../session/session-stores.ts'
import { browserStorage, type KeyValueStorage } from '../state/browser-storage.ts'
import { createStore, type Store, type WatchedStore } from '../state/create-store.ts'
import { beforeNextFrame } from './before-next-frame.ts'
import { type Connection, type ConnectionEvent, nextConnection } from './connection.ts'
import { createRouter, type Router } from './route.ts'
import { createToasts, type Toasts } from './toasts.ts'

/** Everything of a tab that outlives a component, wired once. */
export type App = {
  readonly client: () => Client
  readonly sessionApi: SessionApi
  readonly storage: KeyValueStorage
  readonly router: Router
  readonly connection: WatchedStore<Connection>
  readonly chats: SessionListStore
  readonly archive: SessionListStore
  readonly sessions: SessionStores
  /** The id that the next new chat will have. */
  readonly freshId: Store<string>
  readonly drafts: Drafts
  readonly history: HistoryMemory
  readonly recentModels: RecentModels
  readonly toasts: Toasts
  /** Connects and listens until the answer is called. */
  start(): () => void
}

export function createApp(initialPath: string): App {
  const client = lazyClient()
  const sessionApi = remoteSessionApi(client)
  const storage = browserStorage()
  const router = createRouter(initialPath)
  const connection = createStore<Connection>('connecting')
  const fetchPage: Parameters<typeof createSessionListStore>[1] = (query) =>
    client().session.list.query(query)
  const chats = createSessionListStore(false, fetchPage)
  const archive = createSessionListStore(true, fetchPage)
  const tell = (event: ConnectionEvent) => connection.set(nextConnection(connection.get(), event))

  function onEvent(event: SessionEvent): void {
    chats.onEvent(event)
    archive.onEvent(event)
  }

  function watchAll() {
    return client().session.events.subscribe(
      {},
      {
        onStarted() {
          tell('opened')
          void chats.refresh()
          void archive.refresh()
        },
        onData: onEvent,
        onConnectionStateChange: ({ state, error }) => {
          if (state === 'connecting' && error !== null) tell('lost')
        },
      },
    )
  }

  return {
    client,
    sessionApi,
    storage,
    router,
    connection,
    chats,
    archive,
    sessions: createSessionStores((sessionId, fresh) =>
      createSessionStore({ api: sessionApi, storage, sessionId, fresh, schedule: beforeNextFrame }),
    ),
    freshId: createStore<string>(createId('ses')),
    drafts: createDrafts(storage),
    history: createHistoryMemory(storage),
    recentModels: createRecentModels(storage),
    toasts: createToasts(),
    start() {
      const leaveRouter = router.listen()
      const events = watchAll()
      const lost = () => tell('network-gone')
      const back = () => tell('network-back')
      window.addEventListener('offline', lost)
      window.addEventListener('online', back)
      return () => {
        leaveRouter()
        events.unsubscribe()
        window.removeEventListener('offline', lost)
        window.removeEventListener('online', back)
      }
    },
  }
}
