import {
  type ChatChunk,
  type ChatMessage,
  IDLE,
  initialReduction,
  type MessageMetadata,
  reduceChunk,
  type SessionEvent,
  type SessionStatus,
  type SessionView,
} from '@palimpsest/core/domain'
import type { TimelineEntry } from '@palimpsest/ui'
import { NO_ASKS } from '../session/asks.ts'
import type { Page, Snapshot } from '../session/session-state.ts'
import { isHidden } from '../session/visibility.ts'

/** A session on a fake server: its messages, its events, and the chunks of its current run. */
export type SessionWorld = ReturnType<typeof createSessionWorld>

type Listener = { event(event: SessionEvent): void; chunks(runId: string, chunks: ChatChunk[]): void }

const METADATA = { schemaVersion: 1, createdAt: 0 } as const
const NO_USAGE = {
  promptTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  costUsd: null,
}

export function userMessage(id: string, text = id): ChatMessage {
  return { id, role: 'user', metadata: METADATA, parts: [{ type: 'text', text, state: 'done' }] }
}

export function createSessionWorld(sessionId: string) {
  const listeners = new Set<Listener>()
  let messages: ChatMessage[] = []
  let queue: ChatMessage[] = []
  let status: SessionStatus = IDLE
  let run: { runId: string; messageId: string; chunks: ChatChunk[] } | null = null
  let runs = 0
  let used = 0
  let timeline: TimelineEntry[] = []

  const tell = (event: SessionEvent) => {
    for (const listener of listeners) listener.event(event)
  }
  const setStatus = (next: SessionStatus) => {
    status = next
    tell({ type: 'status', sessionId, status })
  }
  const setQueue = (next: ChatMessage[]) => {
    queue = next
    tell({ type: 'queue', sessionId, queue })
  }
  const addMessage = (message: ChatMessage) => {
    messages = [...messages, message]
    tell({ type: 'message-added', sessionId, message })
  }
  const store = (message: ChatMessage) => {
    const index = messages.findIndex(({ id }) => id === message.id)
    messages = index === -1 ? [...messages, message] : messages.with(index, message)
  }
  const usage = () => NO_USAGE
  const contextWindow = () => ({ used, limit: 1_000, usable: 900, estimated: false })

  /** Hides and shows messages, all at once, as everything does that is done to a history. */
  function change(kind: 'rewind' | 'unrewind', hide: ReadonlySet<string>, show: ReadonlySet<string>): void {
    const id = `op_${timeline.length + 1}`
    const changed = messages.map((message) => {
      if (hide.has(message.id))
        return { ...message, metadata: { ...METADATA, ...message.metadata, hiddenBy: id } }
      return show.has(message.id) ? visible(message) : message
    })
    messages = changed
    const detail = { lastSeq: messages.length, hidden: [], shown: [] }
    const operation = { id, sessionId, kind, detail, createdAt: 0 }
    timeline = [
      {
        ...operation,
        hiddenCount: hide.size,
        shownCount: show.size,
        restoresCount: hide.size,
        canUndo: hide.size > 0,
      },
      ...timeline,
    ]
    if (hide.size > 0) tell({ type: 'message-hidden', sessionId, messageIds: [...hide], hiddenBy: id })
    const shown = messages.filter(({ id }) => show.has(id)).map((message) => message.id)
    if (shown.length > 0) tell({ type: 'message-shown', sessionId, messageIds: shown })
    tell({ type: 'history', sessionId, operation })
  }

  function pageBefore(end: number, pageSize: number): Page {
    const items = messages.slice(Math.max(0, end - pageSize), end)
    return { items, nextCursor: end > pageSize ? (items[0]?.id ?? null) : null }
  }

  function start(message: ChatMessage): void {
    runs += 1
    run = { runId: `run_${runs}`, messageId: `reply_${runs}`, chunks: [] }
    setStatus({ state: 'busy', runId: run.runId, startedAt: 0 })
    addMessage({ ...message, metadata: { ...METADATA, ...message.metadata, runId: run.runId } })
    const { messageId } = run
    stream([
      { type: 'start', messageId, messageMetadata: { ...METADATA, runId: run.runId } },
      { type: 'start-step' },
      { type: 'text-start', id: 't' },
    ])
  }

  function stream(chunks: ChatChunk[]): void {
    if (run === null) return
    run.chunks.push(...chunks)
    store(run.chunks.reduce(reduceChunk, initialReduction('')).message)
    for (const listener of listeners) listener.chunks(run.runId, chunks)
  }

  return {
    sessionId,
    listen(listener: Listener): () => void {
      listeners.add(listener)
      listener.event({ type: 'status', sessionId, status })
      return () => void listeners.delete(listener)
    },
    /** The chunks so far of a run that is on. */
    log: (runId: string): ChatChunk[] => (run?.runId === runId ? [...run.chunks] : []),
    send(message: ChatMessage): void {
      if (run === null) start(message)
      else setQueue([...queue, message])
    },
    /** Waits for the next step, or to be answered after the run when none comes. */
    steer(message: ChatMessage): void {
      if (run !== null) setQueue([...queue, { ...message, metadata: { ...METADATA, steer: true } }])
    },
    /** A step ends: what was to steer the run goes into its reply. */
    step(): void {
      if (run === null) return
      const steering = queue.filter(({ metadata }) => metadata?.steer)
      if (steering.length === 0) return
      setQueue(queue.filter((message) => !steering.includes(message)))
      stream(steering.map(({ id }) => ({ type: 'steering-message', id, parts: [] })))
    },
    write: (text: string) => stream([{ type: 'text-delta', id: 't', delta: text }]),
    settle(): void {
      if (run === null) return
      stream([
        { type: 'text-end', id: 't' },
        { type: 'finish', finishReason: 'stop' },
      ])
      const reduced = run.chunks.reduce(reduceChunk, initialReduction('')).message
      const message: ChatMessage = {
        ...reduced,
        metadata: { ...METADATA, runId: run.runId, finishReason: 'stop' },
      }
      store(message)
      used += 10
      tell({ type: 'message-settled', sessionId, message })
      tell({ type: 'usage', sessionId, usage: usage(), contextWindow: contextWindow() })
      run = null
      setStatus(IDLE)
      const next = queue[0]
      if (next === undefined) return
      setQueue(queue.slice(1))
      start(next)
    },
    /** Hides the last `count` visible messages. */
    rewind(count: number): void {
      if (run !== null) return
      const last = messages.filter((message) => !isHidden(message)).slice(-count)
      change('rewind', new Set(last.map(({ id }) => id)), new Set())
    },
    /** Shows what the last operation hid and hides what has come since. */
    unrewind(): void {
      const [last] = timeline
      if (run !== null || last === undefined) return
      const restored = messages.filter(({ metadata }) => metadata?.hiddenBy === last.id)
      const since = messages.slice(last.detail.lastSeq).filter((message) => !isHidden(message))
      change('unrewind', new Set(since.map(({ id }) => id)), new Set(restored.map(({ id }) => id)))
    },
    timeline: () => timeline,
    cancelQueued: () => setQueue(queue.slice(0, -1)),
    snapshot(pageSize: number): Snapshot {
      const view: SessionView = {
        ...NO_USAGE,
        id: sessionId,
        title: 'A chat',
        agent: 'default',
        workspaceRoot: null,
        workerId: null,
        model: { providerId: 'demo', modelId: 'demo' },
        parentId: null,
        parentMessageId: null,
        permissions: [],
        metadata: {},
        contextTokens: used,
        revision: 0,
        createdAt: 0,
        updatedAt: 0,
        archivedAt: null,
        deletedAt: null,
        status,
        usage: usage(),
        contextWindow: contextWindow(),
        ...(run && { activeRun: { runId: run.runId, messageId: run.messageId } }),
        canUnrewind: false,
        keepsFiles: false,
      }
      return { view, page: pageBefore(messages.length, pageSize), queue, asks: NO_ASKS, timeline }
    },
    /** The page above a message. */
    older(cursor: string, pageSize: number): Page {
      return pageBefore(
        messages.findIndex(({ id }) => id === cursor),
        pageSize,
      )
    },
    get truth() {
      const shown = messages.filter((message) => !isHidden(message))
      return { messages: shown, loaded: messages, queue, status, contextWindow: contextWindow() }
    },
  }
}

function visible(message: ChatMessage): ChatMessage {
  const { hiddenBy: _, ...metadata }: MessageMetadata = message.metadata ?? METADATA
  return { ...message, metadata }
}
