import { AppError } from '../../domain/errors.ts'
import type { OutlineEntry } from '../../domain/history/outline.ts'
import type { ChatMessage } from '../../domain/message/message.ts'
import type { ModelRef } from '../../domain/model/model.ts'
import type { Session } from '../../domain/session/session.ts'
import { type ContextWindow, contextWindow, fixedLimit } from '../../domain/window/context-window.ts'
import type { HistoryService, ModelFit } from '../history-service.ts'
import { estimatorIn, measuredNext } from '../plan/measured.ts'
import { type Measured, planCompaction } from '../plan/plan-compaction.ts'
import { tokensOf } from '../plan/plan-pruning.ts'
import { innerOutputs } from '../plan/prunable-outputs.ts'
import { lastTurns, toPlace, withSizes } from './choose-summarised.ts'
import { type WindowPorts, windowParts } from './session-window.ts'
import { summarisedMessages } from './summarised-messages.ts'

/** Tokens that a summary is expected to take at most, and at most as a share of what it replaces. */
const EXPECTED_SUMMARY = 1_000
const EXPECTED_SHARE = 0.25

/** Tokens below which no system prompt can be cut. */
const LEAST_FIXED = 300

/** The empty message, for an estimate before the next message is written. */
export const NOTHING_YET: ChatMessage = { id: '', role: 'user', parts: [] }

/** The window before the next message is sent, in tokens; `visible` is computed on demand. */
export type WindowEstimate = {
  visible(): Promise<readonly OutlineEntry[]>
  used: number
  estimated: boolean
  /** Tokens of these that are the system prompt and the tools. */
  fixed: number
}

/** Whether a conversation fits a model's window, as it is or summarised. */
export function createFitEstimates(
  ports: WindowPorts,
  requireSession: (id: string) => Promise<Session>,
): Pick<HistoryService, 'fit'> {
  return {
    async fit({ sessionId, model }) {
      const session = await requireSession(sessionId)
      return await estimateFit(session, model, NOTHING_YET, await estimateWindow(session, ports), ports)
    },
  }
}

export async function estimateWindow(session: Session, ports: WindowPorts): Promise<WindowEstimate> {
  const { window, fixed } = await windowParts(session, ports)
  const { used, estimated } = window
  const visible = async () => {
    const { entries } = await ports.store.history.outline(session.id)
    return entries.filter(({ hiddenBy }) => hiddenBy === null)
  }
  return { visible, used, estimated, fixed }
}

/** Whether `next` fits `model` after a conversation with this estimate. */
export async function estimateFit(
  session: Session,
  model: ModelRef,
  next: ChatMessage,
  estimate: WindowEstimate,
  ports: WindowPorts,
): Promise<ModelFit> {
  const { estimated } = estimate
  const config = { ...ports.compactionOf(session), min_turns_between: 0 }
  const info = (await ports.models.find(model)) ?? { contextLimit: null, maxOutput: null }
  const isWritten = next.parts.length > 0
  const { usable } = contextWindow(0, false, info, config.reserve_tokens)
  // A window of another size has a system prompt and tools of another size.
  const used = Math.max(0, estimate.used - estimate.fixed) + fixedIn(session, usable, estimate, ports)
  const windowWith = (added: number): ContextWindow =>
    contextWindow(used + added, estimated || added > 0, info, config.reserve_tokens)
  if (!isWritten && isBelowLimit(windowWith(0))) return { outcome: 'fits', window: windowWith(0) }

  const visible = await estimate.visible()
  const estimator = estimatorIn(session, visible)
  const size = measuredNext(next, estimator)
  const window = windowWith(isWritten ? size.tokens : 0)
  if (window.usable === null || isBelowLimit(window)) return { outcome: 'fits', window }
  const gained = await gainOf(session, visible, size, { ...config, usable: window.usable }, ports)
  const compacts = gained !== null && window.used - gained < window.usable
  return { outcome: compacts ? 'compacts' : 'too-small', window }
}

/** Tokens of the system prompt and the tools in a window with this usable size. */
export function fixedIn(
  session: Session,
  usable: number | null,
  { used, fixed }: Pick<WindowEstimate, 'used' | 'fixed'>,
  { fixedParts }: Pick<WindowPorts, 'fixedParts'>,
): number {
  if (used === 0) return fixed
  const limit = fixedLimit(usable)
  return limit !== null && fixed > limit
    ? Math.max(limit, Math.min(fixed, LEAST_FIXED))
    : Math.max(fixed, fixedParts.of(session, usable))
}

function isBelowLimit({ used, usable }: ContextWindow): boolean {
  return usable === null || used < usable
}

type CompactionLimits = Parameters<typeof planCompaction>[2] & { usable: number }

/** Tokens that a compaction is expected to free; null where none is possible. Reads bodies a batch at a time. */
async function gainOf(
  session: Session,
  visible: readonly OutlineEntry[],
  next: Measured,
  limits: CompactionLimits,
  { store }: WindowPorts,
): Promise<number | null> {
  const estimator = estimatorIn(session, visible)
  const end = lastTurns(visible.map(toPlace), limits.tail_turns)
  const { places, newest } = await withSizes(session.id, visible.map(toPlace), end, estimator, store)
  const plan = planCompaction([...places, next], limits.usable, limits)
  if (plan.type === 'refused') return null
  const tail = new Set(plan.tail.map(({ id }) => id))
  const kept = newest.filter(({ id }) => tail.has(id))
  const summarised = await summarisedMessages(session.id, plan.summarised, estimator, store).tokens()
  const inner = plan.split ? tokensOf(innerOutputs(kept, null, estimator)) : 0
  return summarised + inner - Math.min(EXPECTED_SUMMARY, Math.ceil(EXPECTED_SHARE * summarised))
}

/** The refusal of a switch that cannot work, which names the way out. */
export function tooSmall(model: ModelRef): AppError {
  const message = `The conversation does not fit ${model.providerId}/${model.modelId}, even summarised. Branch from an earlier message with this model instead.`
  return new AppError('MODEL_TOO_SMALL', message, { field: 'model' })
}
