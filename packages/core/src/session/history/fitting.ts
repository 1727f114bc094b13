import { type ContextWindow, contextWindow } from '../../domain/context-window.ts'
import { AppError } from '../../domain/errors.ts'
import type { ChatMessage, StoredMessage } from '../../domain/message.ts'
import type { ModelRef } from '../../domain/model.ts'
import type { Session } from '../../domain/session.ts'
import { planCompaction, sizeOf } from '../../history/compaction/plan-compaction.ts'
import { innerOutputs } from '../../history/pruning/outputs.ts'
import { tokensOf } from '../../history/pruning/plan-pruning.ts'
import type { HistoryService, ModelFit } from '../history-service.ts'
import { sessionWindow } from '../session-window.ts'
import { estimatorOf, measured, measuredNext } from './measured.ts'
import type { HistoryPorts } from './perform.ts'

/** Tokens that a summary is expected to take at most, and the share of what it stands for. */
const EXPECTED_SUMMARY = 1_000
const EXPECTED_SHARE = 0.25

/** Stands for a message that nobody has written yet. */
export const NOTHING_YET: ChatMessage = { id: '', role: 'user', parts: [] }

/** A conversation as it would stand when the next message is sent. */
export type Standing = { visible: readonly StoredMessage[]; used: number; estimated: boolean }

/** Whether a conversation fits a model's window, as it is or summarised. */
export function createFitting(
  ports: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
): Pick<HistoryService, 'fit'> {
  return {
    async fit({ sessionId, model }) {
      const session = await requireSession(sessionId)
      return await fitOf(session, model, NOTHING_YET, await standingNow(session, ports), ports)
    },
  }
}

export async function standingNow(session: Session, ports: HistoryPorts): Promise<Standing> {
  const visible = await ports.store.messages.visible(session.id)
  const { used, estimated } = await sessionWindow(session, ports, visible)
  return { visible, used, estimated }
}

/** What would come of sending `next` to `model` when the conversation stands so. */
export async function fitOf(
  session: Session,
  model: ModelRef,
  next: ChatMessage,
  standing: Standing,
  ports: HistoryPorts,
): Promise<ModelFit> {
  const { visible, used, estimated } = standing
  const config = ports.compactionOf(session)
  const info = (await ports.models.find(model)) ?? { contextLimit: null, maxOutput: null }
  const estimator = estimatorOf(session, visible)
  const size = measuredNext(next, estimator)
  const added = next.parts.length === 0 ? 0 : size.tokens
  const window: ContextWindow = contextWindow(
    used + added,
    estimated || added > 0,
    info,
    config.reserve_tokens,
  )
  if (window.usable === null || window.used < window.usable) return { outcome: 'fits', window }

  const sizes = visible.map((message) => measured(message, estimator))
  const plan = planCompaction([...sizes, size], window.usable, { ...config, min_turns_between: 0 })
  if (plan.type === 'refused') return { outcome: 'too-small', window }
  const tail = new Set(plan.tail.map(({ id }) => id))
  const kept = visible.filter(({ id }) => tail.has(id))
  const gone = sizeOf(plan.summarised) + (plan.split ? tokensOf(innerOutputs(kept, null, estimator)) : 0)
  const summary = Math.min(EXPECTED_SUMMARY, Math.ceil(EXPECTED_SHARE * sizeOf(plan.summarised)))
  return { outcome: window.used - gone + summary < window.usable ? 'compacts' : 'too-small', window }
}

/** The refusal of a switch that cannot work, which names the way out. */
export function tooSmall(model: ModelRef): AppError {
  const message = `The conversation does not fit ${model.providerId}/${model.modelId}, even summarised. Branch from an earlier message with this model instead.`
  return new AppError('MODEL_TOO_SMALL', message, { field: 'model' })
}
