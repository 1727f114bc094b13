import { AppError } from '../domain/errors.ts'
import { toChatMessage } from '../domain/message/message.ts'
import type { Session } from '../domain/session/session.ts'
import { announceQueue } from '../history/apply/announce.ts'
import { checkLimit, checkModel, checkOpen, checkParts } from '../history/check-input.ts'
import type { TurnPorts } from '../run/run-state.ts'
import type { Turns } from '../run/run-turn.ts'
import { admitFiles } from './admit-files.ts'
import { fireOrWait } from './fire-or-wait.ts'
import type { SessionService } from './service.ts'

/** Attempts to abort a run that another caller starts meanwhile, for a promoted message. */
const PROMOTIONS = 3

/** Attempts to read the queue again after another caller has changed it. */
const MOVES = 20

/** The operations on queued messages. Every change is published to all viewers. */
export function createQueueing(
  ports: TurnPorts,
  turns: Turns,
  requireSession: (id: string) => Promise<Session>,
): SessionService['queue'] {
  const { store, clock, coordinator } = ports

  return {
    async list(sessionId) {
      await requireSession(sessionId)
      return (await store.queue.list(sessionId)).map(toChatMessage)
    },

    async edit({ sessionId, messageId, parts, model, steer }) {
      if (parts !== undefined) checkParts(parts, 'parts')
      await requireSession(sessionId)
      if (model !== undefined) await checkModel(model, ports.models)
      const admitted = parts && (await admitFiles(parts, ports.keeper, 'parts'))
      const metadata = { ...(model && { model }), ...(steer !== undefined && { steer }) }
      const edited = await store.queue.edit(
        sessionId,
        messageId,
        { ...(admitted && { parts: admitted }), metadata },
        clock.now(),
      )
      await announceQueue(sessionId, ports)
      return toChatMessage(edited)
    },

    async cancel(sessionId, messageId) {
      await requireSession(sessionId)
      await store.queue.cancel(sessionId, messageId, clock.now())
      await announceQueue(sessionId, ports)
    },

    async cancelled({ sessionId, limit, cursor }) {
      await requireSession(sessionId)
      const query = { sessionId, limit: checkLimit(limit), ...(cursor !== undefined && { cursor }) }
      const page = await store.queue.cancelled(query)
      return { ...page, items: page.items.map(toChatMessage) }
    },

    async restore(sessionId, messageId) {
      checkOpen(await requireSession(sessionId))
      await store.queue.restore(sessionId, messageId, clock.now())
      await announceQueue(sessionId, ports)
      return await fireOrWait({ id: messageId, sessionId }, turns)
    },

    async reorder(sessionId, messageIds) {
      await requireSession(sessionId)
      const ordered = await store.queue.reorder(sessionId, messageIds, clock.now())
      await announceQueue(sessionId, ports)
      return ordered.map(toChatMessage)
    },

    async promote(sessionId, messageId) {
      await requireSession(sessionId)
      await moveToFront(sessionId, messageId)
      for (let attempt = 0; attempt < PROMOTIONS; attempt++) {
        const runId = await fireNow(sessionId, messageId)
        if (runId !== null) return { runId }
      }
      throw new AppError(
        'SESSION_BUSY',
        'Others keep this session busy. The message still waits, as the first.',
      )
    },
  }

  /** Retries: other callers may add, cancel and fire messages between the read of the queue and its write. */
  async function moveToFront(sessionId: string, messageId: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const ids = (await store.queue.list(sessionId)).map(({ id }) => id)
      if (!ids.includes(messageId)) throw await notQueued(sessionId, messageId)
      const order = [messageId, ...ids.filter((id) => id !== messageId)]
      try {
        await store.queue.reorder(sessionId, order, clock.now())
        return
      } catch (error) {
        const changed = error instanceof AppError && error.code === 'CONFLICT'
        if (!changed || attempt >= MOVES) throw error
      }
    }
  }

  /** Aborts the current run and fires the message; null when another run claimed the session first. */
  async function fireNow(sessionId: string, messageId: string): Promise<string | null> {
    await turns.stop(sessionId)
    await coordinator.active(sessionId)?.released
    const fired = await turns.drain(sessionId, messageId)
    if (fired !== null) return fired.runId
    // The queue may have fired this very message meanwhile.
    await coordinator.active(sessionId)?.begun
    const message = await store.messages.get(sessionId, messageId)
    if (message === null || message.hiddenAt !== null)
      throw new AppError('CONFLICT', 'The message has been taken out of the queue meanwhile.')
    return message.queuedAt === null ? (message.metadata.runId ?? null) : null
  }

  async function notQueued(sessionId: string, messageId: string): Promise<AppError> {
    const message = await store.messages.get(sessionId, messageId)
    if (message === null)
      return new AppError('MESSAGE_NOT_FOUND', 'There is no such message in this session.')
    return new AppError('CONFLICT', 'The message has been sent already.')
  }
}
