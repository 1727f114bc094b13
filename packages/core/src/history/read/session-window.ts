import { estimateTokens, uncountedTokens } from '../../context/estimate-tokens.ts'
import { isSummary, modelViews } from '../../context/model-view.ts'
import { formsInUse } from '../../domain/message/condensed-output.ts'
import { type StoredMessage, toChatMessage } from '../../domain/message/message.ts'
import type { Session } from '../../domain/session/session.ts'
import { type ContextWindow, contextWindow, type WindowLimits } from '../../domain/window/context-window.ts'
import type { Models, Store } from '../../ports/index.ts'
import type { CompactionConfig } from '../plan/compaction-config.ts'
import { visibleNow } from '../plan/view.ts'
import type { FixedParts } from './fixed-parts.ts'
import { type Measure, type MeasurePorts, measureWindow } from './measure-window.ts'

/** Messages read to find the last count; when it is further back, the whole session is read. */
const NEWEST = 20

export type WindowPorts = MeasurePorts & {
  models: Models
  /** A session's compaction settings. */
  compactionOf(session: Session): CompactionConfig
  fixedParts: FixedParts
}

/**
 * The current window of a session: what was counted last, and an estimate of what has come since. `visible` are its
 * messages, newest last; without them they are read. `fixed` is the size of the next request's system prompt and tools.
 */
export async function sessionWindow(
  session: Session,
  ports: WindowPorts,
  visible?: readonly StoredMessage[],
  fixed?: number,
): Promise<ContextWindow> {
  return (await windowParts(session, ports, visible, fixed)).window
}

/** The same, with the tokens of it that are the system prompt and the tools. */
export async function windowParts(
  session: Session,
  ports: WindowPorts,
  visible?: readonly StoredMessage[],
  next?: number,
): Promise<{ window: ContextWindow; fixed: number }> {
  const { measure, limits } = await sessionMeasure(session, ports, visible)
  const reserve = ports.compactionOf(session).reserve_tokens
  const { usable } = contextWindow(0, false, limits, reserve)
  const fixed = next ?? measure.fixed ?? ports.fixedParts.of(session, usable)
  const used = withFixedPart(measure, fixed)
  return { window: contextWindow(used, measure.contextEstimated, limits, reserve), fixed }
}

/** Tokens with a system prompt and tools of this size, in place of those that were counted. */
export function withFixedPart({ contextTokens, fixed, bare }: Measure, next: number): number {
  if (bare) return contextTokens + next
  return fixed === undefined ? contextTokens : contextTokens - fixed + next
}

/** What the session's messages take of its window, as it was counted last, and the limits of its model. */
async function sessionMeasure(
  session: Session,
  ports: WindowPorts,
  visible?: readonly StoredMessage[],
): Promise<{ measure: Measure; limits: WindowLimits }> {
  const { store, models } = ports
  const info = await models.find(session.model)
  const newest = visible?.slice(-NEWEST) ?? (await readNewest(session.id, store))
  const measure =
    sinceLastCount(session, newest) ?? neverCounted(session, newest) ?? (await measureAll(session, ports))
  return { measure, limits: info ?? { contextLimit: null, maxOutput: null } }
}

/** The measure of a session that has only grown since its last count; null when its history was changed by an operation. */
function sinceLastCount(session: Session, newest: readonly StoredMessage[]): Measure | null {
  const index = newest.findLastIndex(
    (message) => message.metadata.window !== undefined && !isSummary(message),
  )
  const counted = newest[index]
  const window = counted?.metadata.window
  if (counted === undefined || window === undefined || window.tokens !== session.contextTokens) return null
  if (session.metadata.contextEstimated && !window.estimated) return null
  // What was condensed or seen whole since took another size in that count than it does now.
  if (formsInUse(counted.metadata.condensed) !== (window.condensed ?? 0)) return null
  const { providerId } = session.model
  const rest = newest.slice(index + 1).filter((message) => !isSummary(message))
  const since =
    uncountedTokens(toChatMessage(counted), providerId, window.scale) +
    estimateTokens(modelViews(rest), providerId, window.scale)
  return {
    contextTokens: window.tokens + since,
    contextEstimated: since > 0 || window.estimated === true,
    ...(window.fixed !== undefined && { fixed: window.fixed }),
  }
}

/** The measure of a session whose first message no model has seen yet. */
function neverCounted(
  { model, contextTokens, totalTokens }: Session,
  messages: readonly StoredMessage[],
): Measure | null {
  if (contextTokens > 0 || totalTokens > 0 || messages.length !== 1) return null
  return {
    contextTokens: estimateTokens(modelViews(messages), model.providerId),
    contextEstimated: true,
    bare: true,
  }
}

async function measureAll(session: Session, ports: MeasurePorts): Promise<Measure> {
  const outline = await ports.store.history.outline(session.id)
  return await measureWindow(session, outline, visibleNow(outline), ports)
}

async function readNewest(sessionId: string, store: Store): Promise<StoredMessage[]> {
  const page = await store.messages.page({ sessionId, limit: NEWEST, hidden: false })
  return page.items
}
