import type { ChatMessage } from '@palimpsest/core/domain'
import { type ModelWorld, openModelWorld } from '@palimpsest/core/testing'
import { createHistoryCommands, type HistoryCommands } from '../history/use-history-commands.ts'
import { remoteSessionApi } from '../session/remote-session-api.ts'
import { createSessionStore, type SessionStore } from '../session/session-store.ts'
import { createStore } from '../state/create-store.ts'
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
  const line = openLine(world.core, { snapshots: false, workspaces: [], sandbox: { kind: 'none' } })
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
      router: { push: ({ sessionId: id }) => void opened.push(id ?? '') },
      history: { arrival: createStore<{ from: string; to: string } | null>(null) },
    },
    store,
  )
  let asked = 0

  function answerNext(): void {
    asked += 1
    models.next = { type: 'answer', text: `Reply ${asked} ${'and more '.repeat(asked % 5)}`.trim() }
  }

  async function isSettled(): Promise<boolean> {
    if (line.underway > 0 || store.get().phase !== 'ready' || store.get().outgoing.length > 0) return false
    const { state } = await sessions.status(sessionId)
    if (state === 'busy' || store.get().status.state === 'busy' || store.get().live !== null) return false
    const [{ items }, timeline] = await Promise.all([
      sessions.messages({ sessionId, limit: 200, hidden: true }),
      sessions.history.timeline(sessionId),
    ])
    const shown = store.get()
    return shown.timeline[0]?.id === timeline[0]?.id && marks(shown.messages) === marks(items)
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
      for (let turn = 0; turn < MOST_TURNS; turn++) {
        await new Promise((resolve) => setImmediate(resolve))
        if (await isSettled()) return
      }
      throw new Error('The page never showed what the server holds.')
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
