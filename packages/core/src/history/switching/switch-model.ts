import { AppError, toAppError } from '../../domain/errors.ts'
import { createId } from '../../domain/ids.ts'
import { type ChatMessage, type StoredMessage, toChatMessage } from '../../domain/message.ts'
import type { ModelRef } from '../../domain/model.ts'
import type { Session } from '../../domain/session.ts'
import { compactAlone } from '../compaction/compacting.ts'
import type { HistoryPorts } from '../operation/perform.ts'
import { type RewindTarget, standingAfter } from '../rewind/rewind.ts'
import { isSameModel } from './note-switch.ts'
import { fitOf, NOTHING_YET, standingNow, tooSmall } from './window-estimate.ts'

/**
 * Makes the conversation fit the model that `message` is sent to: as it is, else summarised first. `MODEL_TOO_SMALL` or
 * `COMPACTION_FAILED` when it does not, with nothing changed.
 */
export async function fitForSend(
  session: Session,
  model: ModelRef,
  message: ChatMessage,
  target: RewindTarget | null,
  ports: HistoryPorts,
): Promise<void> {
  const rewound = await standingAfter(session, target, ports)
  const fit = await fitOf(session, model, message, rewound ?? (await standingNow(session, ports)), ports)
  if (fit.outcome === 'too-small') throw tooSmall(model)
  // After a rewind it is the run that summarises, before it asks the model.
  if (fit.outcome === 'fits' || rewound !== null) return
  const compacted = await compactAlone(session, ports, async () => {
    const { used } = await standingNow(session, ports)
    // Whatever was summarised lately: without it there is no switch.
    return { used, usable: fit.window.usable ?? used, auto: true, next: message, urgent: true }
  })
  if (compacted.type === 'given-up') throw new AppError('COMPACTION_FAILED', compacted.message)
  if (compacted.type !== 'compacted') throw tooSmall(model)
}

/** Refuses with `MODEL_TOO_SMALL` a model that could not hold the conversation up to the message that it is to answer. */
export async function fitForReply(
  session: Session,
  model: ModelRef,
  target: RewindTarget,
  ports: HistoryPorts,
): Promise<void> {
  const standing = (await standingAfter(session, target, ports)) ?? (await standingNow(session, ports))
  const { outcome } = await fitOf(session, model, NOTHING_YET, standing, ports)
  if (outcome === 'too-small') throw tooSmall(model)
}

/** The same for a message whose turn has come. Refused, it goes on waiting, and the session's status tells why. */
export async function fitForQueued(
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
    await fitForSend(session, model, toChatMessage(next), null, ports)
  } catch (error) {
    // Unless another run has begun meanwhile, which has a status of its own.
    if (coordinator.active(session.id) === null) {
      const claim = coordinator.claim(session.id, { runId: createId('run'), messageId: null })
      const { code, message } = toAppError(error)
      claim.apply({ type: 'failed', code, message })
      claim.release()
    }
    throw error
  }
}
