import { type Ask, toPendingPermission, toPendingQuestion } from '../../domain/ask.ts'
import type { ContextWindow } from '../../domain/context-window.ts'
import type { SessionEvent } from '../../domain/event.ts'
import { type StoredMessage, toChatMessage } from '../../domain/message.ts'
import { type Session, sessionUsage } from '../../domain/session.ts'
import type { SessionEvents, Store } from '../../ports/index.ts'
import { sessionWindow, type WindowPorts } from '../window/session-window.ts'

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

/** The event of an open ask. */
export function askedEvent(ask: Ask): SessionEvent[] {
  const { sessionId } = ask
  const permission = toPendingPermission(ask)
  if (permission !== null) return [{ type: 'permission-asked', sessionId, permission }]
  const question = toPendingQuestion(ask)
  return question === null ? [] : [{ type: 'question-asked', sessionId, question }]
}

/** The event of an ask that has its reply. */
export function resolvedEvent({ id, sessionId, request, reply }: Ask): SessionEvent {
  const type = reply?.type ?? 'cancelled'
  return request.kind === 'approval'
    ? { type: 'permission-resolved', sessionId, permissionId: id, reply: type }
    : { type: 'question-resolved', sessionId, questionId: id, reply: type }
}
