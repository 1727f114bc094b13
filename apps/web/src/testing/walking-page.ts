import { type ChatMessage, isRunning } from '@palimpsest/core/domain'
import { type ModelWorld, openModelWorld } from '@palimpsest/testing'
import { createHistoryCommands, type HistoryCommands } from '../history/actions/use-history-commands.ts'
import { liveMessage } from '../session/live-run.ts'
import { remoteSessionApi } from '../session/remote-session-api.ts'
import { createSessionStore, type SessionStore } from '../session/session-store.ts'
import { memoryStorage } from '../state/browser-storage.ts'
import { createHistoryMemory } from '../stores/history-memory.ts'
import { createToasts } from '../stores/toasts.ts'
import { createTabs } from './create-tabs.ts'
import { openLine } from './open-line.ts'

/** Turns of the event loop in which whatever is under way must have ended. */
const MOST_TURNS = 20_000

/** A page of one session without its components: its store, the commands of its buttons, and the server behind it. */
export type WalkingPage = AsyncDisposable & {
  readonly sessionId: string
  readonly store: SessionStore
  readonly commands: HistoryCommands
  readonly sessions: ModelWorld['sessions']
  /** Asks a question, or asks another in the place of one. */
  send(text: string, replaces?: string): void
  /** Asks for another reply to a question. */
  regenerate(messageId: string): void
  /** The branches that were opened, the latest last. */
  readonly opened: readonly string[]
  /** Waits until nothing is under way and the page shows what the server holds. */
  settled(): Promise<void>
}

/** Opens a page of a new session on a server in this process whose models answer at once. */
export async function openWalkingPage(): Promise<WalkingPage> {
  const world = await openModelWorld()
  const { sessions, models } = world
  const line = openLine(world.core, {
    snapshots: false,
    workspaces: [],
    defaultWorkspace: null,
    demoWorkspace: null,
    asksWithoutFolder: false,
    sandbox: { kind: 'none' },
  })
  const api = remoteSessionApi(() => line.client)
  const sessionId = world.current.id
  const store = createSessionStore({
    api,
    ...createTabs().open(),
    onNotKept: () => undefined,
    sessionId,
    fresh: false,
    schedule: (task) => task(),
  })
  const opened: string[] = []
  const commands = createHistoryCommands(
    {
      client: () => line.client,
      toasts: createToasts(),
      sessionApi: api,
      router: {
        get: () => ({ sessionId, anchor: null }),
        push: ({ sessionId: id }) => void opened.push(id ?? ''),
      },
      history: createHistoryMemory(memoryStorage(), memoryStorage()),
    },
    store,
  )
  let asked = 0

  function answerNext(): void {
    asked += 1
    models.next = { type: 'answer', text: `Reply ${asked} ${'and more '.repeat(asked % 5)}`.trim() }
  }

  function isWaiting(): boolean {
    const { phase, outgoing, live, status } = store.get()
    return phase !== 'ready' || outgoing.length > 0 || liveMessage(live) !== null || isRunning(status)
  }

  /** Null once nothing is under way; else what the page lacks. */
  async function lacks(): Promise<string | null> {
    if (line.underway > 0) return 'an answer of the server'
    if (isWaiting()) return 'the end of a reply'
    const { state } = await sessions.status(sessionId)
    if (state !== 'idle' && state !== 'error') return 'the end of a run'
    const [{ items }, timeline, view] = await Promise.all([
      sessions.messages({ sessionId, limit: 200, hidden: true }),
      sessions.history.timeline(sessionId),
      sessions.get(sessionId),
    ])
    if (JSON.stringify(store.get().timeline) !== JSON.stringify(timeline)) return 'an entry of the timeline'
    if (store.get().contextWindow?.used !== view.contextWindow.used) return 'the tokens of the window'
    return marks(store.get().messages) === marks(items) ? null : 'a message or its place'
  }

  store.start()
  return {
    sessionId,
    store,
    commands,
    sessions,
    opened,
    send(text, replaces) {
      answerNext()
      const parts = [{ type: 'text' as const, text }]
      store.send({ parts, model: null, steer: false, ...(replaces !== undefined && { replaces }) })
    },
    regenerate(messageId) {
      answerNext()
      // A refusal is shown to a person, and changes nothing.
      api.resend(sessionId, messageId, null).catch(() => undefined)
    },
    async settled() {
      let lacking: string | null = null
      for (let turn = 0; turn < MOST_TURNS; turn++) {
        await new Promise((resolve) => setImmediate(resolve))
        lacking = await lacks()
        if (lacking === null) return
      }
      throw new Error(`The page never showed what the server holds. It lacks ${lacking}.`)
    },
    async [Symbol.asyncDispose]() {
      store.stop()
      await world[Symbol.asyncDispose]()
    },
  }
}

function marks(messages: readonly ChatMessage[]): string {
  return messages.map(({ id, metadata }) => `${id} ${metadata?.hiddenBy ?? ''} ${metadata?.leftOut}`).join()
}
