import { AppError } from '../../domain/errors.ts'
import { withFormUsed } from '../../domain/message/condensed-output.ts'
import type { StoredMessage } from '../../domain/message/message.ts'
import type { Session } from '../../domain/session/session.ts'
import type { CondensedCall, HistoryService, OutputVisibilityResult } from '../history-service.ts'
import { type HistoryPorts, withExclusiveClaim } from './perform.ts'
import { type OutputVisibilityChange, setOutputVisibility } from './set-output-visibility.ts'

/** Making the model see a condensed output whole, and taking that back. */
export function createUncondensing(
  ports: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
): Pick<HistoryService, 'uncondense' | 'recondense'> {
  const see = async (call: CondensedCall, used: boolean) => {
    const session = await requireSession(call.sessionId)
    return await withExclusiveClaim(ports, session.id, (id) =>
      setFormUsed(session, { ...call, id, used }, ports),
    )
  }
  return {
    uncondense: (call) => see(call, false),
    recondense: (call) => see(call, true),
  }
}

type Use = Pick<CondensedCall, 'messageId' | 'toolCallId'> & { id: string; used: boolean }

async function setFormUsed(
  session: Session,
  { id, messageId, toolCallId, used }: Use,
  ports: HistoryPorts,
): Promise<OutputVisibilityResult> {
  const { store, clock } = ports
  const { id: sessionId } = session
  const outline = await store.history.outline(sessionId)
  const forms = (await store.messages.get(sessionId, messageId))?.metadata.condensed
  if (!outline.entries.some((entry) => entry.id === messageId))
    throw new AppError('MESSAGE_NOT_FOUND', 'There is no such message in this session.')
  if (forms === undefined || !Object.hasOwn(forms, toolCallId))
    throw new AppError('INVALID_INPUT', 'This output was never condensed.', { field: 'toolCallId' })
  const condensed = withFormUsed(forms, toolCallId, used)
  if (condensed === forms) return { operationId: null, tokens: 0 }

  const change = {
    operation: {
      id,
      kind: used ? 'recondense' : 'uncondense',
      createdAt: clock.now(),
      detail: { targetMessageId: messageId, toolCallId },
    },
    marks: { prune: [], unprune: [], forms: [{ messageId, toolCallId, used }] },
    changing: (message: StoredMessage) =>
      message.id === messageId ? { ...message, metadata: { ...message.metadata, condensed } } : message,
    messageIds: [messageId],
  } satisfies OutputVisibilityChange
  return { operationId: id, tokens: await setOutputVisibility(session, outline, change, ports) }
}
