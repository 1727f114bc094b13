import { type ChatMessage, toChatMessage } from '../domain/message.ts'
import { type Session, sessionUsage } from '../domain/session.ts'
import type { Models, SessionEvents, Store } from '../ports/index.ts'
import { sessionWindow } from './session-window.ts'

type Ports = { store: Store; models: Models; events: SessionEvents }

/** Tells everyone how a session's row, bill and window stand now; `visible` spares reading its messages. */
export async function announceUsage(
  session: Session,
  ports: Ports,
  visible?: readonly ChatMessage[],
): Promise<void> {
  ports.events.publish(await usageEvent(session, ports, visible))
  ports.events.publish({ type: 'session-changed', sessionId: session.id, session })
}

export async function usageEvent(session: Session, ports: Ports, visible?: readonly ChatMessage[]) {
  const window = await sessionWindow(session, ports, visible)
  return {
    type: 'usage',
    sessionId: session.id,
    usage: sessionUsage(session),
    contextWindow: window,
  } as const
}

/** Tells everyone who waits in the queue now, in order. */
export async function announceQueue(sessionId: string, ports: Ports): Promise<void> {
  ports.events.publish(await queueEvent(sessionId, ports))
}

export async function queueEvent(sessionId: string, { store }: Ports) {
  const queue = await store.queue.list(sessionId)
  return { type: 'queue', sessionId, queue: queue.map(toChatMessage) } as const
}
