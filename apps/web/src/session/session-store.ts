import {
  type ChatChunk,
  createId,
  type FileChoices,
  isRunning,
  type ModelRef,
  type PermissionMode,
} from '@palimpsest/core/domain'
import type { KeyValueStorage } from '../state/browser-storage.ts'
import { createStore, type WatchedStore } from '../state/create-store.ts'
import { describeFailure } from '../state/describe-failure.ts'
import type { FileStorage } from '../state/file-storage.ts'
import { agentOfChat } from './agent-of-chat.ts'
import { isOperation } from './compaction.ts'
import { createDelivery } from './deliver-outgoing.ts'
import type { InputPart } from './input-part.ts'
import { createKeptOutgoing } from './kept-outgoing.ts'
import { reduceSession } from './reduce-session.ts'
import type { SessionApi } from './session-api.ts'
import { initialSessionState, type SessionAction, type SessionState } from './session-state.ts'
import { isHidden } from './visibility.ts'

export type SessionStoreOptions = {
  api: SessionApi
  storage: KeyValueStorage
  files: FileStorage
  /** Called when a message on its way would not survive a reload whole. */
  onNotKept(what: 'text' | 'files'): void
  sessionId: string
  /** True for a session that the server does not know yet: its first message makes it. */
  fresh: boolean
  /** Runs a task before the next frame; chunks that arrive until then are shown together. */
  schedule(task: () => void): void
}

/** Milliseconds until what failed for want of a connection may be tried again. */
const RETRY_MS = 2_000

export type SendInput = {
  parts: InputPart[]
  model: ModelRef | null
  steer: boolean
  /** The user message that this one replaces. */
  replaces?: string
  /** What that does with files that somebody else has changed since; the others of them stay. */
  files?: FileChoices
  /** The folder of a session that is made by this message; null for none, the server's default without it. */
  workspaceRoot?: string | null
  /** The mode of that session. */
  permissionMode?: PermissionMode
  /** The agent that it goes to; without it that of the message before. */
  agent?: string
}

/** One session's page: its state, kept current, and what a person may do to it that changes the state at once. */
export type SessionStore = WatchedStore<SessionState> & {
  /** Begins to listen; again after `stop`. */
  start(): void
  stop(): void
  /** Shows the message at once and sends it; `delivered` is true once the server took it. */
  send(input: SendInput): { messageId: string; delivered: Promise<boolean> }
  retry(messageId: string): void
  /** Takes back a message that could not be sent. */
  discard(messageId: string): void
  /** Loads the page before the first message; `far` for as large a one as there is. */
  loadOlder(far?: boolean): void
  /** Dismisses the notice of a failed compaction. */
  dismissCompaction(): void
  /** Fetches again after a failure. */
  refresh(): void
  /** Reads a session that has come back from the bin. */
  reopen(): void
}

export function createSessionStore(options: SessionStoreOptions): SessionStore {
  const { api, sessionId } = options
  const keeper = createKeptOutgoing(options.storage, options.files, sessionId)
  const kept = keeper.read()
  const fresh = options.fresh || kept.some((entry) => entry.createsSession)
  const store = createStore(initialSessionState(sessionId, options.fresh ? 'ready' : 'loading'))
  if (kept.length > 0) store.set(initialSessionState(sessionId, fresh ? 'ready' : 'loading', kept))
  let unwatch: (() => void) | null = null
  let following: { runId: string; leave(): void } | null = null
  let fetches = 0
  let timelineReads = 0
  let isOpen = true
  /** True from the start of a subscription until its first event: then the session is there, and is fetched. */
  let stale = false
  let chunks: ChatChunk[] = []
  let exists = !fresh
  const delivery = createDelivery({
    api,
    keeper,
    sessionId,
    kept,
    get: store.get,
    dispatch,
    onNotKept: options.onNotKept,
    onSessionExists() {
      exists = true
      watch()
    },
  })

  function dispatch(action: SessionAction): void {
    const before = store.get()
    const state = reduceSession(before, action)
    if (action.type === 'outgoing-sent') keeper.drop(action.messageId)
    for (const { message } of before.outgoing) {
      if (!state.outgoing.some((entry) => entry.message.id === message.id)) keeper.drop(message.id)
    }
    store.set(state)
    follow()
    const isNew = action.type === 'event' && ['message-added', 'message-settled'].includes(action.event.type)
    if (state.historyMark !== before.historyMark || (isNew && mayEndUndo(state))) void readTimeline()
  }

  /** Fetched again after each operation; a late answer is dropped once it was asked for again. */
  async function readTimeline(): Promise<void> {
    timelineReads += 1
    const read = timelineReads
    try {
      const timeline = await api.timeline(sessionId)
      if (read === timelineReads) dispatch({ type: 'timeline-fetched', timeline })
    } catch {
      // The connection is gone; the fetch after it is back brings the timeline along.
    }
  }

  /** Reads the run that is on, unless it is read already. */
  function follow(): void {
    const { status } = store.get()
    const runId = isRunning(status) ? status.runId : null
    if (unwatch === null || runId === null || isOperation(runId) || following?.runId === runId) return
    following?.leave()
    chunks = []
    const reader = {
      onChunks: (arrived: ChatChunk[]) => gather(runId, arrived),
      onLost: () => void refresh(),
    }
    // What has streamed so far may arrive while this is still being set up.
    following = { runId, leave: () => undefined }
    following = { runId, leave: api.follow({ sessionId, runId }, reader) }
  }

  function gather(runId: string, arrived: ChatChunk[]): void {
    if (following?.runId !== runId) return
    chunks.push(...arrived)
    if (chunks.length > arrived.length) return
    options.schedule(() => {
      if (following?.runId !== runId) return
      const gathered = chunks
      chunks = []
      dispatch({ type: 'chunks', runId, chunks: gathered })
    })
  }

  async function refresh(): Promise<void> {
    const fetch = ++fetches
    stale = false
    if (store.get().sinceFetch === null) dispatch({ type: 'fetch-started' })
    try {
      const snapshot = await api.fetch(sessionId)
      if (fetch === fetches) dispatch({ type: 'fetched', snapshot })
    } catch (error) {
      if (fetch !== fetches) return
      const { code, message } = describeFailure(error)
      dispatch({ type: 'fetch-failed', missing: code === 'SESSION_NOT_FOUND', message })
      if (code === null) later(() => void refresh())
    }
  }

  /** Tries again in a moment, unless the page has turned away by then. */
  function later(attempt: () => void): void {
    const fetch = fetches
    setTimeout(() => {
      if (fetch === fetches) attempt()
    }, RETRY_MS)
  }

  function watch(): void {
    if (unwatch !== null || !exists) return
    unwatch = api.watch(sessionId, {
      onStarted() {
        dispatch({ type: 'fetch-started' })
        stale = true
        delivery.resumeFailed()
      },
      onEvent(event) {
        dispatch({ type: 'event', event })
        if (stale) void refresh()
      },
      onError(error) {
        unwatch = null
        const { code, message } = describeFailure(error)
        const missing = code === 'SESSION_NOT_FOUND'
        dispatch({ type: 'fetch-failed', missing, message })
        if (!missing) setTimeout(() => isOpen && watch(), RETRY_MS)
      },
    })
  }

  return {
    initial: store.initial,
    get: store.get,
    subscribe: store.subscribe,
    start() {
      isOpen = true
      watch()
      delivery.start()
    },
    reopen() {
      if (isOpen) watch()
      void refresh()
    },
    stop() {
      isOpen = false
      delivery.stop()
      unwatch?.()
      following?.leave()
      unwatch = null
      following = null
      chunks = []
      fetches += 1
    },
    send({ parts, model, steer, replaces, files = [], workspaceRoot, permissionMode, ...input }) {
      const { status, queue, session } = store.get()
      const agent = input.agent ?? agentOfChat(store.get())
      const messageId = createId('msg')
      const metadata = { schemaVersion: 1, createdAt: Date.now(), ...(steer && { steer }) } as const
      const delivered = delivery.submit({
        message: { id: messageId, role: 'user', metadata, parts },
        model,
        queued: (isRunning(status) || queue.length > 0) && replaces === undefined,
        steer,
        replaces: replaces ?? null,
        ...(files.length > 0 && { files }),
        createsSession: !exists,
        ...(workspaceRoot !== undefined && !exists && { workspaceRoot }),
        ...(permissionMode !== undefined && !exists && { permissionMode }),
        ...(agent !== null && agent !== session?.agent && { agent }),
        state: { type: 'sending' },
      })
      return { messageId, delivered }
    },
    retry: delivery.retry,
    dismissCompaction: () => dispatch({ type: 'compaction-dismissed' }),
    discard: (messageId) => dispatch({ type: 'outgoing-dropped', messageId }),
    loadOlder(far = false) {
      const { cursor, state } = store.get().older
      if (cursor === null || state === 'loading') return
      dispatch({ type: 'older-started' })
      api.older(sessionId, cursor, far || store.get().messages.every(isHidden)).then(
        (page) => dispatch({ type: 'older-fetched', cursor, page }),
        // A reader at the top asks again at once: until then the page is shown as loading.
        () => setTimeout(() => dispatch({ type: 'older-failed', cursor }), RETRY_MS),
      )
    },
    refresh() {
      watch()
      void refresh()
    },
  }
}

/** A rewind that has only shown messages can be undone until another one comes; a timeline under way may have such a one. */
function mayEndUndo({ timeline, historyMark }: SessionState): boolean {
  const [last] = timeline
  if (historyMark !== null && last?.id !== historyMark) return true
  return last?.kind === 'rewind' && last.canUndo && last.detail.hidden.length === 0
}
