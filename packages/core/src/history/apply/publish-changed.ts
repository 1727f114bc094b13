import { toChatMessage } from '../../domain/message/message.ts'
import type { Coordinator } from '../../state/coordinator.ts'
import type { CorePorts } from '../core-ports.ts'

/** Publishes finished messages after a change of what the model sees of them; hidden ones as well with `hidden`. */
export async function publishChanged(
  sessionId: string,
  messageIds: Iterable<string>,
  { store, events, coordinator }: Pick<CorePorts, 'store' | 'events'> & { coordinator: Coordinator },
  { hidden = false }: { hidden?: boolean } = {},
): Promise<void> {
  const writing = coordinator.active(sessionId)?.messageId
  for (const id of new Set(messageIds)) {
    const message = id === writing ? null : await store.messages.get(sessionId, id)
    if (message !== null && (hidden || message.hiddenAt === null))
      events.publish({ type: 'message-changed', sessionId, message: toChatMessage(message) })
  }
}
