import { untilAborted } from '../../domain/async/until-aborted.ts'
import type { CondensedOutputs } from '../../domain/message/condensed-output.ts'
import { type StoredMessage, toChatMessage } from '../../domain/message/message.ts'
import { announceUsage } from '../apply/announce.ts'
import { type HistoryPorts, withExclusiveClaim } from '../apply/perform.ts'
import { visibleNow } from '../plan/view.ts'
import { measureWindow } from '../read/measure-window.ts'

type Kept = { sessionId: string; messageId: string; condensed: CondensedOutputs; signal: AbortSignal }

/**
 * Writes condensed forms beside a finished reply, with the window that follows from them, as soon as no run is on. Forms
 * that are there already stay. Throws when the signal aborts.
 */
export async function keepCondensed(
  { sessionId, messageId, condensed, signal }: Kept,
  ports: Omit<HistoryPorts, 'drafts' | 'workspace'>,
): Promise<void> {
  const { store, clock, coordinator, events } = ports
  for (let run = coordinator.active(sessionId); run !== null; run = coordinator.active(sessionId))
    await untilAborted(run.released, signal)

  await withExclusiveClaim(ports, sessionId, async () => {
    const [session, outline] = await Promise.all([
      store.sessions.get(sessionId),
      store.history.outline(sessionId),
    ])
    if (session === null) return
    const add = (message: StoredMessage) =>
      message.id === messageId ? withForms(message, condensed) : message
    const measure = await measureWindow(session, outline, visibleNow(outline), ports, add)
    signal.throwIfAborted()
    const change = { sessionId, messageId, condensed, ...measure, at: clock.now() }
    const changed = await store.history.keepCondensed(change)
    const message = await store.messages.get(sessionId, messageId)
    if (message !== null && message.hiddenAt === null)
      events.publish({ type: 'message-changed', sessionId, message: toChatMessage(message) })
    await announceUsage(changed, ports)
  })
}

function withForms(message: StoredMessage, condensed: CondensedOutputs): StoredMessage {
  const { metadata } = message
  return { ...message, metadata: { ...metadata, condensed: { ...condensed, ...metadata.condensed } } }
}
