import { calibrate, estimateTokens } from '../../context/estimate-tokens.ts'
import { toModelView } from '../../context/model-view.ts'
import { contextWindow } from '../../domain/context-window.ts'
import { AppError } from '../../domain/errors.ts'
import { type ChatMessage, toChatMessage } from '../../domain/message.ts'
import type { ModelRef } from '../../domain/model.ts'
import type { Session } from '../../domain/session.ts'
import type { CompactionConfig } from '../../history/compaction/compaction-config.ts'
import { planCompaction, sizeOf } from '../../history/compaction/plan-compaction.ts'
import type { HistoryService, ModelFit } from '../history-service.ts'
import { sessionWindow } from '../session-window.ts'
import type { HistoryPorts } from './perform.ts'

/** Tokens that a summary is expected to take at most. */
const EXPECTED_SUMMARY = 1_000

/** Whether a conversation fits a model's window, as it is or summarised. */
export function createFitting(
  ports: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
  config: CompactionConfig,
): Pick<HistoryService, 'fit'> {
  return {
    fit: async ({ sessionId, model }) =>
      await fitOf(await requireSession(sessionId), model, null, ports, config),
  }
}

/** What a switch to `model` would do; `next` is the message that is about to be sent. */
export async function fitOf(
  session: Session,
  model: ModelRef,
  next: ChatMessage | null,
  ports: HistoryPorts,
  config: CompactionConfig,
): Promise<ModelFit> {
  const info = await ports.models.find(model)
  const now = await sessionWindow(session, ports)
  const added = next === null ? 0 : estimateTokens([next], model.providerId)
  const window = contextWindow(
    now.used + added,
    now.estimated || added > 0,
    info ?? { contextLimit: null, maxOutput: null },
  )
  if (window.usable === null || window.used < window.usable) return { outcome: 'fits', window }
  const least = (await leastTokens(session, window.used, window.usable, ports, config)) + added
  return { outcome: least < window.usable ? 'compacts' : 'too-small', window }
}

/** What would be left after a compaction for a window of `usable` tokens. */
async function leastTokens(
  session: Session,
  used: number,
  usable: number,
  { store }: HistoryPorts,
  config: CompactionConfig,
): Promise<number> {
  const visible = await store.messages.visible(session.id)
  const scale = calibrate(visible.map(toChatMessage), session.model.providerId)
  const measured = visible.map((message) => ({
    id: message.id,
    seq: message.seq ?? 0,
    role: message.role,
    tokens: estimateTokens(toModelView([message]), session.model.providerId, scale),
    compactionId: message.metadata.compactionId ?? null,
  }))
  const plan = planCompaction(measured, usable, { ...config, min_turns_between: 0 })
  if (plan.type === 'refused') return used
  const gone = sizeOf(plan.summarised)
  return used - gone + Math.min(EXPECTED_SUMMARY, Math.ceil(gone / 4))
}

/** The refusal of a switch that cannot work, which names the way out. */
export function tooSmall(model: ModelRef): AppError {
  const message = `The conversation does not fit ${model.providerId}/${model.modelId}, even summarised. Branch from an earlier message with this model instead.`
  return new AppError('MODEL_TOO_SMALL', message, { field: 'model' })
}
