import { AppError, toAppError } from '../../domain/errors.ts'
import { createId } from '../../domain/ids.ts'
import { type ChatMessage, type StoredMessage, toChatMessage } from '../../domain/message/message.ts'
import type { ModelRef } from '../../domain/model/model.ts'
import type { Session } from '../../domain/session/session.ts'
import { isSameModel } from '../apply/note-switch.ts'
import type { HistoryPorts } from '../apply/perform.ts'
import { estimateAfterRewind, type RewindTarget } from '../apply/rewind.ts'
import { compactAlone } from '../compaction/compact.ts'
import { estimateFit, estimateWindow, fixedIn, NOTHING_YET, tooSmall } from '../read/window-estimate.ts'

/**
 * Makes the conversation fit the model that `message` is sent to: as it is, else summarised first. `MODEL_TOO_SMALL` or
 * `COMPACTION_FAILED` when it does not, with nothing changed.
 */
export async function ensureFitForSend(
  session: Session,
  model: ModelRef,
  message: ChatMessage,
  target: RewindTarget | null,
  ports: HistoryPorts,
): Promise<void> {
  const rewound = await estimateAfterRewind(session, target, ports)
  const fit = await estimateFit(
    session,
    model,
    message,
    rewound ?? (await estimateWindow(session, ports)),
    ports,
  )
  if (fit.outcome === 'too-small') throw tooSmall(model)
  // After a rewind it is the run that summarises, before it asks the model.
  if (fit.outcome === 'fits' || rewound !== null) return
  const compacted = await compactAlone(session, ports, async () => {
    const { used: now, fixed: before } = await estimateWindow(session, ports)
    const { usable } = fit.window
    const fixed = fixedIn(session, usable, { used: now, fixed: before }, ports)
    const used = now - before + fixed
    // `urgent`: without a compaction there is no switch, however recent the last one is.
    return { used, usable: usable ?? used, fixed, auto: true, next: message, urgent: true }
  })
  if (compacted.type === 'given-up') throw new AppError('COMPACTION_FAILED', compacted.message)
  if (compacted.type !== 'compacted') throw tooSmall(model)
}

/** Refuses with `MODEL_TOO_SMALL` a model that could not hold the conversation up to the message that it is to answer. */
export async function assertFitForReply(
  session: Session,
  model: ModelRef,
  target: RewindTarget,
  ports: HistoryPorts,
): Promise<void> {
  const estimate =
    (await estimateAfterRewind(session, target, ports)) ?? (await estimateWindow(session, ports))
  const { outcome } = await estimateFit(session, model, NOTHING_YET, estimate, ports)
  if (outcome === 'too-small') throw tooSmall(model)
}

/** The same for the next message of the queue. When it is refused it stays queued, and the session's status has the error. */
export async function ensureFitForQueued(
  session: Session,
  next: StoredMessage,
  ports: HistoryPorts,
): Promise<void> {
  const { coordinator } = ports
  const { model } = next.metadata
  if (model === undefined || isSameModel(model, session.model)) return
  await coordinator.whenNotHeld(session.id)
  if (coordinator.active(session.id) !== null) return
  try {
    await ensureFitForSend(session, model, toChatMessage(next), null, ports)
  } catch (error) {
    // Another run that has begun meanwhile has a status of its own.
    if (coordinator.active(session.id) === null) {
      const claim = coordinator.claim(session.id, { runId: createId('run'), messageId: null })
      const { code, message } = toAppError(error)
      claim.apply({ type: 'failed', code, message })
      claim.release()
    }
    throw error
  }
}
