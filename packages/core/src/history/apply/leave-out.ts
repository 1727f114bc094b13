import { isLeftOut, isSummary } from '../../context/model-view.ts'
import { AppError } from '../../domain/errors.ts'
import type { StoredMessage } from '../../domain/message/message.ts'
import type { Session } from '../../domain/session/session.ts'
import type { HistoryService, MessageVisibilityResult } from '../history-service.ts'
import { withLeftOut } from '../plan/marks.ts'
import { type HistoryPorts, withExclusiveClaim } from './perform.ts'
import { setOutputVisibility } from './set-output-visibility.ts'

type Message = { sessionId: string; messageId: string }

/** Leaving one message out of what the model sees, and bringing it back. */
export function createLeavingOut(
  ports: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
): Pick<HistoryService, 'leaveOut' | 'bringBack'> {
  const see = async ({ sessionId, messageId }: Message, left: boolean) => {
    const session = await requireSession(sessionId)
    return await withExclusiveClaim(ports, sessionId, (id) =>
      setLeftOut(session, { id, messageId, left }, ports),
    )
  }
  return {
    leaveOut: (message) => see(message, true),
    bringBack: (message) => see(message, false),
  }
}

async function setLeftOut(
  session: Session,
  { id, messageId, left }: { id: string; messageId: string; left: boolean },
  ports: HistoryPorts,
): Promise<MessageVisibilityResult> {
  const { store, clock } = ports
  const outline = await store.history.outline(session.id)
  const message = await store.messages.get(session.id, messageId)
  assertVisible(message)
  if (isLeftOut(message) === left) return { operationId: null, tokens: 0 }
  const tokens = await setOutputVisibility(
    session,
    outline,
    {
      operation: {
        id,
        kind: left ? 'leaveout' : 'bringback',
        createdAt: clock.now(),
        detail: {
          targetMessageId: messageId,
          ...(left ? { leftOut: [messageId] } : { broughtBack: [messageId] }),
        },
      },
      marks: { prune: [], unprune: [] },
      changing: withLeftOut([messageId], left),
      messageIds: [messageId],
    },
    ports,
  )
  return { operationId: id, tokens }
}

function assertVisible(message: StoredMessage | null): asserts message is StoredMessage {
  if (message === null || message.seq === null)
    throw new AppError('MESSAGE_NOT_FOUND', 'There is no such message in this session.', {
      field: 'messageId',
    })
  if (message.hiddenAt !== null)
    throw new AppError('INVALID_INPUT', 'This message is hidden: the model does not read it.', {
      field: 'messageId',
    })
  if (isSummary(message))
    throw new AppError('INVALID_INPUT', 'A summary can be undone, but not left out.', { field: 'messageId' })
}
