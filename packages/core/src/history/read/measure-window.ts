import { charactersToTokens, estimateTokens, uncountedTokens } from '../../context/estimate-tokens.ts'
import { leftOut, modelViews } from '../../context/model-view.ts'
import { createPace, eachAtPace } from '../../domain/async/pace.ts'
import type { Outline, OutlineEntry } from '../../domain/history/outline.ts'
import { type StoredMessage, toChatMessage } from '../../domain/message/message.ts'
import type { Session } from '../../domain/session/session.ts'
import { toRanges } from '../../domain/values/seq-ranges.ts'
import type { Clock, Store } from '../../ports/index.ts'
import type { View } from '../plan/view.ts'

/** What a window is measured with. */
export type MeasurePorts = { store: Store; clock: Pick<Clock, 'elapsed' | 'turn'> }

/** What the window holds when `view` is what the model sees; `estimated` when a provider has not counted all of it. */
export type Measure = {
  contextTokens: number
  contextEstimated: boolean
  /** Tokens of these that were counted for the system prompt and the tools, where that is known. */
  fixed?: number
  /** The messages alone: nothing was counted that had the system prompt and the tools. */
  bare?: true
}

/** Messages at a session's beginning that the size of its system prompt is derived from. */
const FIRST_MESSAGES = 8

/**
 * The last count that holds for a view, and an estimate of what came after it. A count holds under the summary that it
 * was made under: with another one, or none, the model would have seen something else. What has been pruned, condensed,
 * left out or restored since is taken off or added; `changing` is what is about to be done to messages.
 */
export async function measureWindow(
  session: Session,
  outline: Outline,
  view: View,
  { store, clock }: MeasurePorts,
  changing?: (message: StoredMessage) => StoredMessage,
): Promise<Measure> {
  const entries = outline.entries.filter(({ seq }) => view.has(seq))
  const summary = entries.find(({ compactionId }) => compactionId !== null)
  const spoken = entries.filter(({ compactionId }) => compactionId === null)
  const counted = lastCount(spoken, summary)
  const base = counted ?? summary
  const scale = base === undefined ? firstScale(outline) : (base.window?.scale ?? 1)
  const { providerId } = session.model
  const pace = createPace(clock)
  /** The sum over these messages, as they will be. */
  const sumOf = async (wanted: readonly OutlineEntry[], of: (message: StoredMessage) => number) => {
    let sum = 0
    const messages = await messagesOf(session.id, wanted, store)
    await eachAtPace(messages, pace, (message) => {
      sum += of(changing?.(message) ?? message)
    })
    return sum
  }

  const behind = await sumOf(counted === undefined ? [] : [counted], (last) =>
    uncountedTokens(toChatMessage(last), providerId, scale),
  )
  const rest = counted === undefined ? spoken : spoken.filter(({ seq }) => seq > counted.seq)
  const ahead = await sumOf(rest, (message) => estimateTokens(modelViews([message]), providerId, scale))
  const mayDiffer = changing !== undefined || mayLeaveOut(session, outline)
  const covered = counted !== undefined && mayDiffer ? spoken.filter(({ seq }) => seq <= counted.seq) : []
  const sparedNow = await sumOf(covered, (message) => leftOut([message]).pruned)
  const saved =
    covered.length === 0
      ? 0
      : charactersToTokens(sparedNow - (counted?.window?.pruned ?? 0), providerId, scale)
  const prompt =
    base === undefined && rest.length > 0 ? await promptTokens(session, outline, scale, store) : 0
  const before = base?.window?.tokens ?? prompt
  return {
    ...fixedPartOf(base),
    ...bareMark(base, prompt, rest),
    contextTokens: Math.max(0, before - saved + behind + ahead),
    contextEstimated: rest.length > 0 || behind > 0 || saved !== 0 || base?.window?.estimated === true,
  }
}

function fixedPartOf(base: OutlineEntry | undefined): Pick<Measure, 'fixed'> {
  const fixed = base?.window?.fixed
  return fixed === undefined ? {} : { fixed }
}

function bareMark(
  base: OutlineEntry | undefined,
  prompt: number,
  rest: readonly unknown[],
): Pick<Measure, 'bare'> {
  return base === undefined && prompt === 0 && rest.length > 0 ? { bare: true } : {}
}

/** False when a cheap check shows that the model sees every message and output of the session as it is. */
function mayLeaveOut({ metadata }: Session, { entries, operations }: Outline): boolean {
  const pruned = operations.some(({ detail }) => detail.partIds !== undefined || detail.leftOut !== undefined)
  return pruned || metadata.prunedCopies === true || entries.some(({ condensed }) => condensed)
}

/** The last message of a view whose count holds for it. */
function lastCount(
  spoken: readonly OutlineEntry[],
  summary: OutlineEntry | undefined,
): OutlineEntry | undefined {
  const compactionId = summary?.compactionId ?? undefined
  return spoken.findLast(({ window }) => window !== null && window.compactionId === compactionId)
}

/** That of the first count, which stays the first: the same messages are measured alike whenever they are visible again. */
function firstScale({ entries }: Outline): number {
  return entries.find(({ window }) => window !== null)?.window?.scale ?? 1
}

/** What the session's first counted reply had before it besides messages: the system prompt and the tools. */
async function promptTokens(
  session: Session,
  { entries }: Outline,
  scale: number,
  store: Store,
): Promise<number> {
  const { providerId } = session.model
  const first = entries.find(({ window }) => window !== null && window.compactionId === undefined)
  const early = entries.filter(({ seq }) => first !== undefined && seq <= first.seq)
  if (early.length > FIRST_MESSAGES) return 0
  const messages = (await messagesOf(session.id, early, store)).map(toChatMessage)
  const said = messages.reduce((sum, message) => sum + estimateTokens([message], providerId, scale), 0)
  const reply = messages.at(-1)
  const uncounted = reply === undefined ? 0 : uncountedTokens(reply, providerId, scale)
  const saved = charactersToTokens(first?.window?.pruned ?? 0, providerId, scale)
  return Math.max(0, (first?.window?.tokens ?? 0) + saved - said + uncounted)
}

async function messagesOf(
  sessionId: string,
  entries: readonly OutlineEntry[],
  store: Store,
): Promise<StoredMessage[]> {
  if (entries.length === 0) return []
  return await store.history.messagesAt(sessionId, toRanges(entries.map(({ seq }) => seq)))
}
