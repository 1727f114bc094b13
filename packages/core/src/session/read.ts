import { heaviestMessages } from '../context/heaviest-messages.ts'
import { windowContent } from '../context/window-content.ts'
import { createPace } from '../domain/async/pace.ts'
import { AppError } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import { toChatMessage } from '../domain/message/message.ts'
import { type ModelRef, sameModel } from '../domain/model/model.ts'
import type { SessionEvent } from '../domain/session/event.ts'
import { type Session, sessionUsage } from '../domain/session/session.ts'
import { askedEvents, queueEvent, usageEvent } from '../history/apply/announce.ts'
import { checkLimit } from '../history/check-input.ts'
import type { CorePorts } from '../history/core-ports.ts'
import type { Workspace } from '../history/files/workspace.ts'
import { estimatorOf } from '../history/plan/measured.ts'
import { sessionWindow, type WindowPorts } from '../history/read/session-window.ts'
import { listen } from '../live/listen.ts'
import type { Coordinator } from '../state/coordinator.ts'
import type { SessionService } from './service.ts'

/** Messages that are named as the heaviest of a window. */
const HEAVIEST = 5

/** Milliseconds that a usage report looks back by default: 30 days. */
const REPORT_MS = 30 * 24 * 60 * 60 * 1000

type Reading = Pick<
  SessionService,
  | 'get'
  | 'list'
  | 'messages'
  | 'prompts'
  | 'status'
  | 'stream'
  | 'events'
  | 'models'
  | 'search'
  | 'usageReport'
  | 'storage'
  | 'systemPrompt'
  | 'content'
  | 'heaviest'
  | 'locate'
>

/** The read operations. None waits for a run. */
export function createReading(
  ports: CorePorts &
    WindowPorts & { coordinator: Coordinator; workspace: Workspace; chosenModel(): Promise<ModelRef | null> },
  requireSession: (id: string) => Promise<Session>,
): Reading {
  const { store, live, events, models, clock, coordinator, workspace, chosenModel } = ports

  async function currentState(sessionId: string | null): Promise<SessionEvent[]> {
    const asked = (await store.asks.open(sessionId))
      .flatMap(askedEvents)
      .filter((event) => sessionId === null || event.sessionId === sessionId)
    if (sessionId === null) {
      const statuses = await coordinator.statuses()
      return [
        ...statuses.map(([id, status]) => ({ type: 'status', sessionId: id, status }) as const),
        ...asked,
      ]
    }
    const session = await requireSession(sessionId)
    const [usage, queue] = await Promise.all([usageEvent(session, ports), queueEvent(sessionId, ports)])
    return [
      { type: 'status', sessionId, status: await coordinator.status(sessionId) },
      usage,
      queue,
      ...asked,
    ]
  }

  async function* readStream(
    sessionId: string,
    runId: string | undefined,
    asked: Promise<string | null>,
    signal?: AbortSignal,
  ) {
    const current = await asked
    const wanted = runId ?? current
    if (wanted === null || wanted !== current) {
      // A running session exists, so attaching to its run needs no read of the store.
      await requireSession(sessionId)
      if (wanted === null || (await live.sessionOf(wanted)) !== sessionId) return
    }
    yield* live.read(wanted, signal)
  }

  return {
    async get(sessionId) {
      const session = await requireSession(sessionId)
      const window = await sessionWindow(session, ports)
      const active = coordinator.active(sessionId) ?? coordinator.waiting(sessionId)
      return {
        ...session,
        status: await coordinator.status(sessionId),
        usage: sessionUsage(session),
        contextWindow: window,
        ...(active?.messageId && { activeRun: { runId: active.runId, messageId: active.messageId } }),
        keepsFiles: await workspace.keeps(session),
        canUnrewind: (await store.history.lastRewind(sessionId)) !== null,
      }
    },

    async list(query) {
      const search = checkSearch(query.search, 'search')
      const { search: _, ...rest } = query
      return await store.sessions.list({
        archived: false,
        ephemeral: false,
        ...rest,
        ...(search !== '' && { search }),
        limit: checkLimit(query.limit),
      })
    },

    async messages({ sessionId, limit, cursor, hidden }) {
      await requireSession(sessionId)
      const query = {
        sessionId,
        limit: checkLimit(limit),
        hidden: hidden ?? false,
        ...(cursor !== undefined && { cursor }),
      }
      const page = await store.messages.page(query)
      return { ...page, items: page.items.map(toChatMessage) }
    },

    async prompts({ sessionId, limit, cursor }) {
      await requireSession(sessionId)
      const query = { sessionId, limit: checkLimit(limit), ...(cursor !== undefined && { cursor }) }
      return await store.messages.prompts(query)
    },

    async status(sessionId) {
      await requireSession(sessionId)
      return await coordinator.status(sessionId)
    },

    stream({ sessionId, runId }, signal) {
      // Asked at once: the caller means the run that is current at the call, whenever it reads.
      const asked = live.current(sessionId)
      // It fails in the reader, if there is one.
      asked.catch(() => {})
      return readStream(sessionId, runId, asked, signal)
    },

    events: (sessionId, signal) => listen(events, sessionId, () => currentState(sessionId), signal),

    async models() {
      const [list, defaultModel, chosen] = await Promise.all([
        models.list(),
        models.defaultModel(),
        chosenModel(),
      ])
      return { models: list, defaultModel, chosen: chosen !== null && sameModel(chosen, defaultModel) }
    },

    async search({ text, limit, cursor, sessionId }) {
      if (sessionId !== undefined) await requireSession(sessionId)
      const wanted = checkSearch(text, 'text')
      if (wanted === '') return { items: [], nextCursor: null }
      return await store.messages.search({
        text: wanted,
        limit: checkLimit(limit),
        ...(cursor !== undefined && { cursor }),
        ...(sessionId !== undefined && { sessionId }),
      })
    },

    async usageReport({ since, until }) {
      const end = until ?? clock.now() + 1
      const range = { since: since ?? end - REPORT_MS, until: end }
      if (range.since >= range.until)
        throw new AppError('INVALID_INPUT', 'The report must begin before it ends.', { field: 'since' })
      const [rows, counts] = await Promise.all([store.reports.usage(range), store.reports.counts()])
      return { rows, counts }
    },

    async storage() {
      const [report, counts] = await Promise.all([store.reports.storage(), store.reports.counts()])
      return { ...report, ...counts }
    },

    async content(sessionId) {
      const session = await requireSession(sessionId)
      const visible = await store.messages.visible(sessionId)
      const { used } = await sessionWindow(session, ports, visible)
      return await windowContent(visible, { used, ...estimatorOf(session, visible) }, createPace(clock))
    },

    async heaviest(sessionId) {
      const session = await requireSession(sessionId)
      const visible = await store.messages.visible(sessionId)
      const { used } = await sessionWindow(session, ports, visible)
      const of = { used, count: HEAVIEST, ...estimatorOf(session, visible) }
      return await heaviestMessages(visible, of, createPace(clock))
    },

    async locate({ sessionId, messageId }) {
      const holding = messageId === undefined ? null : await store.sessions.locate(messageId)
      // A chat's own id is no message of it.
      if (holding !== null && holding.id !== messageId) return { session: holding, found: 'message' }
      const session = await store.sessions.locate(sessionId)
      return session?.id === sessionId ? { session, found: 'session' } : null
    },

    async systemPrompt(sessionId, messageId) {
      await requireSession(sessionId)
      const message = await store.messages.get(sessionId, messageId)
      const digest = message?.metadata.systemPromptDigest
      const body = digest === undefined ? null : await store.messages.systemPrompt(digest)
      if (digest === undefined || body === null)
        throw new AppError('MESSAGE_NOT_FOUND', 'There is no message with a system prompt under this id.')
      return { digest, body }
    },
  }
}

function checkSearch(text: string | undefined, field: string): string {
  const trimmed = text?.trim() ?? ''
  if (trimmed.length <= LIMITS.searchCharacters) return trimmed
  throw new AppError('INVALID_INPUT', `A search takes at most ${LIMITS.searchCharacters} characters.`, {
    field,
  })
}
