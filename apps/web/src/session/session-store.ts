import { type ChatChunk, createId, isRunning, type ModelRef } from '@palimpsest/core/domain'
import type { KeyValueStorage } from '../state/browser-storage.ts'
import { createStore, type WatchedStore } from '../state/create-store.ts'
import { describeFailure } from '../state/describe-failure.ts'
import { isOperation } from './compaction.ts'
import { type InputPart, inputParts } from './input-part.ts'
import { keepOutgoing, readOutgoing } from './kept-outgoing.ts'
import type { Outgoing } from './outgoing.ts'
import { reduceSession } from './reduce-session.ts'
import type { SessionApi } from './session-api.ts'
import { initialSessionState, type SessionAction, type SessionState } from './session-state.ts'
import { isHidden } from './visibility.ts'

export type SessionStoreOptions = {
  api: SessionApi
  storage: KeyValueStorage
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
}

/** One session's page: its state, kept current, and what a person may do to it that changes the state at once. */
export type SessionStore = WatchedStore<SessionState> & {
  /** Begins to listen; again after `stop`. */
  start(): void
  stop(): void
  /** Shows the message at once and sends it; `delivered` tells whether the server took it. */
  send(input: SendInput): { messageId: string; delivered: Promise<boolean> }
  retry(messageId: string): void
  /** Takes back a message that could not be sent. */
  discard(messageId: string): void
  loadOlder(): void
  /** Puts word of a failed compaction away. */
  dismissCompaction(): void
  /** Fetches again after a failure. */
  refresh(): void
}

export function createSessionStore(options: SessionStoreOptions): SessionStore {
  const { api, storage, sessionId } = options
  const kept = readOutgoing(storage, sessionId)
  const fresh = options.fresh || kept.some((entry) => entry.createsSession)
  const store = createStore(initialSessionState(sessionId, options.fresh ? 'ready' : 'loading'))
  if (kept.length > 0) store.set(initialSessionState(sessionId, fresh ? 'ready' : 'loading', kept))
  let unwatch: (() => void) | null = null
  let following: { runId: string; leave(): void } | null = null
  let fetches = 0
  let isOpen = true
  /** True from the start of a subscription until its first event: then the session is there, and is fetched. */
  let stale = false
  let chunks: ChatChunk[] = []
  let exists = !fresh
  const underway = new Map<string, Promise<boolean>>()

  function dispatch(action: SessionAction): void {
    const before = store.get()
    const state = reduceSession(before, action)
    if (state.outgoing !== before.outgoing) keepOutgoing(storage, sessionId, state.outgoing)
    store.set(state)
    follow()
    if (state.historyMark !== before.historyMark) void readTimeline()
  }

  /** Asked again after each operation; word of the next one overtakes an answer that is late. */
  async function readTimeline(): Promise<void> {
    const mark = store.get().historyMark
    try {
      const timeline = await api.timeline(sessionId)
      if (mark === store.get().historyMark) dispatch({ type: 'timeline-fetched', timeline })
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
        resendKept()
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

  /** What failed for want of a connection goes out again when there is one. */
  function resendKept(): void {
    for (const { message, state } of store.get().outgoing) {
      if (state.type === 'failed' && state.retryable) retry(message.id)
    }
  }

  /** Sends a message unless that is being done already; true once the server has taken it. */
  function deliver(outgoing: Outgoing): Promise<boolean> {
    const { id } = outgoing.message
    const delivered = underway.get(id) ?? post(outgoing).finally(() => underway.delete(id))
    underway.set(id, delivered)
    return delivered
  }

  async function post({ message, model, steer, replaces, createsSession }: Outgoing): Promise<boolean> {
    const messageId = message.id
    try {
      if (createsSession) await api.create({ id: sessionId, model })
      exists = true
      watch()
      await api.send({
        sessionId,
        message: { id: messageId, parts: inputParts(message.parts) },
        model,
        steer,
        replaces,
      })
      dispatch({ type: 'outgoing-sent', messageId })
      return true
    } catch (error) {
      const { code, message: failure } = describeFailure(error)
      dispatch({ type: 'outgoing-failed', messageId, failure, retryable: code === null })
      if (code === null) setTimeout(() => deliverLate(messageId), RETRY_MS)
      return false
    }
  }

  /** Tries what met no connection once more; until it is through it reads as not sent. */
  function deliverLate(messageId: string): void {
    const entry = store.get().outgoing.find(({ message }) => message.id === messageId)
    if (entry?.state.type === 'failed' && entry.state.retryable) void deliver(entry)
  }

  function submit(outgoing: Outgoing): Promise<boolean> {
    dispatch({ type: 'outgoing-added', outgoing })
    return deliver(outgoing)
  }

  function retry(messageId: string): void {
    const entry = store.get().outgoing.find(({ message }) => message.id === messageId)
    if (entry !== undefined) void submit({ ...entry, state: { type: 'sending' } })
  }

  return {
    initial: store.initial,
    get: store.get,
    subscribe: store.subscribe,
    start() {
      isOpen = true
      watch()
      for (const { message, state } of store.get().outgoing) {
        if (state.type === 'sending' && kept.some((entry) => entry.message.id === message.id))
          retry(message.id)
      }
    },
    stop() {
      isOpen = false
      unwatch?.()
      following?.leave()
      unwatch = null
      following = null
      chunks = []
      fetches += 1
    },
    send({ parts, model, steer, replaces }) {
      const { status, queue } = store.get()
      const messageId = createId('msg')
      const metadata = { schemaVersion: 1, createdAt: Date.now(), ...(steer && { steer }) } as const
      const delivered = submit({
        message: { id: messageId, role: 'user', metadata, parts },
        model,
        queued: (isRunning(status) || queue.length > 0) && replaces === undefined,
        steer,
        replaces: replaces ?? null,
        createsSession: !exists,
        state: { type: 'sending' },
      })
      return { messageId, delivered }
    },
    retry,
    dismissCompaction: () => dispatch({ type: 'compaction-dismissed' }),
    discard: (messageId) => dispatch({ type: 'outgoing-dropped', messageId }),
    loadOlder() {
      const { cursor, state } = store.get().older
      if (cursor === null || state === 'loading') return
      dispatch({ type: 'older-started' })
      api.older(sessionId, cursor, store.get().messages.every(isHidden)).then(
        (page) => dispatch({ type: 'older-fetched', cursor, page }),
        // Whoever reads at the top asks again at once: until then it reads as being loaded.
        () => setTimeout(() => dispatch({ type: 'older-failed', cursor }), RETRY_MS),
      )
    },
    refresh() {
      watch()
      void refresh()
    },
  }
}
