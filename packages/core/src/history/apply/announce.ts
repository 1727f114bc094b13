import { type StoredMessage, toChatMessage } from '../../domain/message/message.ts'
import { type Ask, toPendingPermission, toPendingQuestion } from '../../domain/permission/ask.ts'
import type { SessionEvent } from '../../domain/session/event.ts'
import { type Session, sessionUsage } from '../../domain/session/session.ts'
import type { ContextWindow } from '../../domain/window/context-window.ts'
import type { SessionEvents, Store } from '../../ports/index.ts'
import { sessionWindow, type WindowPorts } from '../read/session-window.ts'

type Ports = WindowPorts & { events: SessionEvents }

/**
 * Publishes a session's row, usage and window, and returns the window; with `visible` the messages are not read again.
 * The row is published first and at once, so that it can't follow a newer one.
 */
export async function announceUsage(
  session: Session,
  ports: Ports,
  visible?: readonly StoredMessage[],
): Promise<ContextWindow> {
  ports.events.publish({ type: 'session-changed', sessionId: session.id, session })
  const event = await usageEvent(session, ports, visible)
  ports.events.publish(event)
  return event.contextWindow
}

export async function usageEvent(session: Session, ports: WindowPorts, visible?: readonly StoredMessage[]) {
  const window = await sessionWindow(session, ports, visible)
  return {
    type: 'usage',
    sessionId: session.id,
    usage: sessionUsage(session),
    contextWindow: window,
  } as const
}

type QueuePorts = { store: Store; events: SessionEvents }

/** Publishes the queue's messages, in order. */
export async function announceQueue(sessionId: string, ports: QueuePorts): Promise<void> {
  ports.events.publish(await queueEvent(sessionId, ports))
}

export async function queueEvent(sessionId: string, { store }: Pick<QueuePorts, 'store'>) {
  const queue = await store.queue.list(sessionId)
  return { type: 'queue', sessionId, queue: queue.map(toChatMessage) } as const
}

/** The events of an open ask: for its session, and for the root of a subagent. */
export function askedEvents(ask: Ask): SessionEvent[] {
  const permission = toPendingPermission(ask)
  const question = toPendingQuestion(ask)
  return shownIn(ask).flatMap((sessionId): SessionEvent[] => {
    if (permission !== null) return [{ type: 'permission-asked', sessionId, permission }]
    return question === null ? [] : [{ type: 'question-asked', sessionId, question }]
  })
}

/** The events of an ask that has its reply. */
export function resolvedEvents(ask: Ask): SessionEvent[] {
  const { id, request } = ask
  const reply = ask.reply?.type ?? 'cancelled'
  return shownIn(ask).flatMap((sessionId): SessionEvent[] => {
    if (request.kind === 'task') return []
    return request.kind === 'approval'
      ? [{ type: 'permission-resolved', sessionId, permissionId: id, reply }]
      : [{ type: 'question-resolved', sessionId, questionId: id, reply }]
  })
}

/** The sessions whose pages show an ask. */
function shownIn({ sessionId, rootSessionId }: Ask): string[] {
  return sessionId === rootSessionId ? [sessionId] : [sessionId, rootSessionId]
}
