import { AppError } from '../domain/errors.ts'
import { createId } from '../domain/ids.ts'
import { toChatMessage } from '../domain/message/message.ts'
import type { TaskEnd } from '../domain/permission/ask.ts'
import type { Session } from '../domain/session/session.ts'
import type { NewMessage } from '../ports/index.ts'
import { readTaskEnd } from '../state/settle-tasks.ts'
import type { TurnPorts } from './run-state.ts'

/** Puts the results of subagents in the background into the histories of their parents, each once and between two turns. */
export function createDelivery(ports: TurnPorts): (parentId: string | null) => Promise<void> {
  const { store, events, clock, coordinator, logger } = ports

  const isOn = (sessionId: string) =>
    coordinator.active(sessionId) !== null || coordinator.waiting(sessionId) !== null

  /** Where a run is on in the parent, its end delivers. */
  async function deliverOne(child: Session, parentId: string): Promise<void> {
    await coordinator.whenNotHeld(parentId)
    if (isOn(child.id) || isOn(parentId)) return
    const hold = coordinator.claim(parentId, { runId: createId('op'), messageId: null, quiet: true })
    try {
      // What has ended with an archive lands when the chat is back.
      if ((await store.sessions.get(parentId))?.archivedAt !== null) return
      if (await isRewound(child, parentId)) return
      const { end } = await readTaskEnd(child.id, store)
      const delivered = await store.subagents.deliver(
        child.id,
        toMessage(child, end, clock.now()),
        clock.now(),
      )
      if (delivered === null) return
      const { parent: session, message } = delivered
      events.publish({ type: 'session-changed', sessionId: parentId, session })
      events.publish({ type: 'message-added', sessionId: parentId, message: toChatMessage(message) })
    } finally {
      hold.release()
    }
  }

  /** Whether the call that started it was rewound: its result lands once that is taken back. */
  async function isRewound({ parentMessageId }: Session, parentId: string): Promise<boolean> {
    const caller = parentMessageId === null ? null : await store.messages.get(parentId, parentMessageId)
    if (caller === null || caller.hiddenBy === null) return false
    const { operations } = await store.history.outline(parentId)
    const kind = operations.find(({ id }) => id === caller.hiddenBy)?.kind
    return kind === 'rewind' || kind === 'unrewind'
  }

  return async (parentId) => {
    for (const child of await store.subagents.undelivered(parentId)) {
      if (child.parentId === null) continue
      try {
        await deliverOne(child, child.parentId)
      } catch (error) {
        const busy = error instanceof AppError && error.code === 'SESSION_BUSY'
        if (!busy)
          logger.warn({ error, sessionId: child.id }, 'The result of a subagent could not be stored yet')
      }
    }
  }
}

function toMessage(child: Session, end: TaskEnd, createdAt: number): Omit<NewMessage, 'sessionId'> {
  const { id: sessionId, agent, model } = child
  const { outcome, text } = end
  const head =
    outcome === 'finished'
      ? `The subagent "${agent}" has finished what it did in the background (session ${sessionId}).`
      : `The subagent "${agent}" has not finished what it did in the background (session ${sessionId}).`
  return {
    id: createId('msg'),
    role: 'assistant',
    metadata: {
      schemaVersion: 1,
      createdAt,
      model,
      agent,
      finishReason: 'stop',
      synthetic: true,
      subagentResult: { sessionId, agent, outcome },
    },
    parts: [{ type: 'text', text: `${head}\n\n${text}`, state: 'done' }],
  }
}
