import { type Client, createClient } from '@palimpsest/client'
import { createId, type SessionEvent } from '@palimpsest/core/domain'
import type { SendKey } from '@palimpsest/ui'
import { remoteSessionApi } from '../session/remote-session-api.ts'
import type { SessionApi } from '../session/session-api.ts'
import { createSessionStore, type SessionStore } from '../session/session-store.ts'
import { createSessionStores, type SessionStores } from '../session/session-stores.ts'
import { browserStorage, type KeyValueStorage } from '../state/browser-storage.ts'
import { createStore, type Store, type WatchedStore } from '../state/create-store.ts'
import { createFileStorage } from '../state/file-storage.ts'
import { words } from '../words/en.ts'
import { type AskDrafts, createAskDrafts } from './ask-drafts.ts'
import { type Attention, createAttention } from './attention.ts'
import { beforeNextFrame } from './before-next-frame.ts'
import { createChosenFolder } from './chosen-folder.ts'
import { type ConnectionEvent, type ConnectionFacts, learnOfConnection, NOT_CONNECTED } from './connection.ts'
import { createDrafts, type Drafts } from './drafts.ts'
import { createHistoryMemory, type HistoryMemory } from './history-memory.ts'
import { createLanguage, type LanguageStore } from './language.ts'
import type { Language } from './language-choice.ts'
import { createRecentModels, type RecentModels } from './model-choice.ts'
import { createRouter, type Router } from './route.ts'
import { createSendKey } from './send-key.ts'
import { createSends, type Sends } from './sends.ts'
import { createSessionListStore, type SessionListStore } from './session-list-store.ts'
import { createToasts, type Toasts } from './toasts.ts'
import { createUploads, type Uploads } from './uploads.ts'

/** Everything of a tab that outlives a component, wired once. */
export type App = {
  readonly client: () => Client
  readonly sessionApi: SessionApi
  readonly storage: KeyValueStorage
  readonly router: Router
  readonly connection: WatchedStore<ConnectionFacts>
  readonly chats: SessionListStore
  readonly archive: SessionListStore
  readonly bin: SessionListStore
  readonly sessions: SessionStores
  /** A new store of a session that the server has, beside the one of its page. */
  watchSession(sessionId: string): SessionStore
  /** The id that the next new chat will have. */
  readonly freshId: Store<string>
  readonly drafts: Drafts
  readonly uploads: Uploads
  readonly askDrafts: AskDrafts
  readonly attention: Attention
  readonly history: HistoryMemory
  readonly recentModels: RecentModels
  /** The key that sends a message. */
  readonly sendKey: Store<SendKey>
  /** Whether the keys of the composer are known here. */
  readonly sends: Sends
  /** The folder that new chats work in, if one was chosen in this browser. */
  readonly folder: Store<string | null>
  readonly language: LanguageStore
  readonly toasts: Toasts
  /** Connects and listens until the answer is called. */
  start(): () => void
}

/** Milliseconds until a subscription that was refused is tried again. */
const RETRY_MS = 2_000

/** `initialPath` is the path that the page was rendered for. */
export function createApp(
  initialPath: string,
  client: () => Client = lazyClient(),
  language: Language = 'en',
): App {
  const sessionApi = remoteSessionApi(client)
  const storage = browserStorage('all')
  const files = createFileStorage(storage, globalThis.indexedDB)
  const toasts = createToasts()
  const router = createRouter(initialPath)
  const connection = createStore(NOT_CONNECTED)
  const fetchPage: Parameters<typeof createSessionListStore>[1] = (query) =>
    client().session.list.query(query)
  const chats = createSessionListStore('chats', fetchPage)
  const archive = createSessionListStore('archive', fetchPage)
  const bin = createSessionListStore('bin', fetchPage)
  const openSession = (sessionId: string, fresh: boolean) =>
    createSessionStore({
      api: sessionApi,
      storage,
      files,
      onNotKept: (what) => toasts.add({ tone: 'error', message: words.notKept[what] }),
      sessionId,
      fresh,
      schedule: beforeNextFrame,
    })
  const sessions = createSessionStores(openSession)
  const askDrafts = createAskDrafts(storage)
  const attention = createAttention(storage)
  const report = (event: ConnectionEvent) => connection.set(learnOfConnection(connection.get(), event))

  function onEvent(event: SessionEvent): void {
    chats.onEvent(event)
    archive.onEvent(event)
    if (/^(permission|question)-/.test(event.type)) attention.asksChanged.set(attention.asksChanged.get() + 1)
    if (event.type === 'permission-resolved') askDrafts.forget(event.permissionId)
    if (event.type === 'question-resolved') askDrafts.forget(event.questionId)
    bin.onEvent(event)
    if (event.type === 'session-restored') sessions.peek(event.sessionId)?.reopen()
  }

  /** Every session's events, for the lists. As the first of a tab's subscriptions it carries the connection's state. */
  function watchAll(): () => void {
    let again: ReturnType<typeof setTimeout> | undefined
    let leave = subscribeAll(() => {
      again = setTimeout(() => {
        leave = watchAll()
      }, RETRY_MS)
    })
    return () => {
      clearTimeout(again)
      leave()
    }
  }

  function subscribeAll(onEnded: () => void): () => void {
    function onStarted(): void {
      report('opened')
      chats.onSubscribed()
      archive.onSubscribed()
      bin.onSubscribed()
    }
    const subscription = client().session.events.subscribe(
      {},
      {
        onStarted,
        // Events were dropped: the lists are read again, as after a reconnect.
        onData: (event) => (event.type === 'reset' ? onStarted() : onEvent(event)),
        onConnectionStateChange: ({ state, error }) => {
          if (state === 'connecting' && error !== null) report('lost')
        },
        onError: onEnded,
      },
    )
    return () => subscription.unsubscribe()
  }

  return {
    client,
    sessionApi,
    storage,
    router,
    connection,
    chats,
    archive,
    bin,
    sessions,
    watchSession: (sessionId) => openSession(sessionId, false),
    freshId: createStore<string>(createId('ses')),
    drafts: createDrafts(storage, files, (name) =>
      toasts.add({ tone: 'error', message: words.fileNotKept(name) }),
    ),
    uploads: createUploads(),
    askDrafts,
    attention,
    history: createHistoryMemory(storage, browserStorage('tab')),
    recentModels: createRecentModels(storage),
    sendKey: createSendKey(storage),
    sends: createSends(storage),
    language: createLanguage(language),
    folder: createChosenFolder(storage),
    toasts,
    start() {
      const leaveRouter = router.listen()
      const leaveEvents = watchAll()
      const lost = () => report('network-gone')
      const back = () => report('network-back')
      window.addEventListener('offline', lost)
      window.addEventListener('online', back)
      return () => {
        leaveRouter()
        leaveEvents()
        window.removeEventListener('offline', lost)
        window.removeEventListener('online', back)
      }
    },
  }
}

/** Connects on first use, so that nothing connects while a page is rendered on the server. */
function lazyClient(): () => Client {
  let client: Client | null = null
  return () => {
    client ??= createClient({ url: window.location.origin })
    return client
  }
}
