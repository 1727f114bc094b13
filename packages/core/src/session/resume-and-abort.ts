import { isLeftOut } from '../context/model-view.ts'
import { AppError } from '../domain/errors.ts'
import { createId } from '../domain/ids.ts'
import { isUnfinished } from '../domain/message/last-turn-message.ts'
import type { StoredMessage } from '../domain/message/message.ts'
import type { Session } from '../domain/session/session.ts'
import { isSameModel } from '../history/apply/note-switch.ts'
import { checkModel, checkOpen } from '../history/check-input.ts'
import { assertFitForReply } from '../history/compaction/switch-model.ts'
import { readLastTurn } from '../run/read-last-turn.ts'
import type { TurnPorts } from '../run/run-state.ts'
import type { Turns } from '../run/run-turn.ts'
import type { SessionService } from './service.ts'

type ResumeAndAbort = Pick<SessionService, 'resend' | 'continue' | 'abort'>

/** Resend, continue and abort. */
export function createResumeAndAbort(
  ports: TurnPorts,
  turns: Turns,
  requireSession: (id: string) => Promise<Session>,
): ResumeAndAbort {
  const { store, models, coordinator, budgets } = ports

  return {
    async resend({ sessionId, messageId, model, files: fileChoices, filesAsTheyAre }) {
      const session = await requireSession(sessionId)
      checkOpen(session)
      const message = await store.messages.get(sessionId, messageId)
      if (message === null || message.queuedAt !== null)
        throw new AppError('MESSAGE_NOT_FOUND', 'There is no such message in this session.')
      if (message.role !== 'user')
        throw new AppError('INVALID_INPUT', 'Only a user message can be answered again.', {
          field: 'messageId',
        })
      assertSeen(message)
      const chosen = model ?? message.metadata.model ?? session.model
      await checkModel(chosen, models)
      await budgets.assertLeft(session)
      const agent = await ports.agentOf(message.metadata.agent ?? session.agent, session)
      const runId = createId('run')
      const rewind = { messageId, replace: false }
      await coordinator.whenNotHeld(sessionId)
      if (!isSameModel(chosen, session.model)) await assertFitForReply(session, chosen, rewind, ports)
      await coordinator.whenNotHeld(sessionId)
      const trigger = { type: 'existing', change: null } as const
      const about = { ...(fileChoices && { fileChoices }), ...(filesAsTheyAre && { filesAsTheyAre }) }
      await turns.start({ session, runId, trigger, rewind, model: chosen, agent, ...about })
      return { runId }
    },

    async continue(sessionId) {
      const session = await requireSession(sessionId)
      checkOpen(session)
      const last = await readLastTurn(sessionId, store)
      if (last === undefined || !isUnfinished(last))
        throw new AppError('CONFLICT', 'There is no unfinished reply to continue.')
      assertSeen(last)
      await checkModel(session.model, models)
      await budgets.assertLeft(session)
      const runId = createId('run')
      const continues = last.role === 'assistant'
      const trigger = { type: 'existing', change: null } as const
      const agent = await ports.agentOf(session.agent, session)
      await coordinator.whenNotHeld(sessionId)
      await turns.start({ session, runId, trigger, model: session.model, agent, continues })
      return { runId }
    },

    async abort(sessionId, runId, options) {
      await requireSession(sessionId)
      if (runId === undefined) ports.condenser.abort(sessionId)
      return { aborted: await turns.stop(sessionId, { ...options, ...(runId !== undefined && { runId }) }) }
    },
  }
}

/** A model can't answer or continue what it does not see. */
function assertSeen(message: StoredMessage): void {
  if (!isLeftOut(message)) return
  throw new AppError(
    'CONFLICT',
    'The model does not read this message, which is left out. Bring it back first.',
    {
      field: 'messageId',
    },
  )
}
