import { toChatMessage } from '../../domain/message.ts'
import type { Coordinator } from '../../state/coordinator.ts'
import type { CorePorts } from '../core-ports.ts'

/** Publishes finished messages after a change of what the model sees of their outputs. */
export async function publishChanged(
  sessionId: string,
  messageIds: Iterable<string>,
  { store, events, coordinator }: Pick<CorePorts, 'store' | 'events'> & { coordinator: Coordinator },
): Promise<void> {
  const writing = coordinator.active(sessionId)?.messageId
  for (const id of new Set(messageIds)) {
    const message = id === writing ? null : await store.messages.get(sessionId, id)
    if (message !== null && message.hiddenAt === null)
      events.publish({ type: 'message-changed', sessionId, message: toChatMessage(message) })
  }
}
