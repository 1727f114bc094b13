import { newestSkills } from '../../context/loaded-skills.ts'
import { untilAborted } from '../../domain/async/until-aborted.ts'
import { AppError } from '../../domain/errors.ts'
import type { HistoryOperation } from '../../domain/history/history-operation.ts'
import { createId } from '../../domain/ids.ts'
import type { ChatMessage } from '../../domain/message/message.ts'
import { describeReached } from '../../domain/model/budget.ts'
import type { Session } from '../../domain/session/session.ts'
import type { RunEpoch } from '../../ports/index.ts'
import { announceUsage } from '../apply/announce.ts'
import {
  announceChange,
  type HistoryPorts,
  resultOf,
  visibilityChange,
  withExclusiveClaim,
} from '../apply/perform.ts'
import { publishChanged } from '../apply/publish-changed.ts'
import type { HistoryService } from '../history-service.ts'
import type { CompactionConfig } from '../plan/compaction-config.ts'
import { awaitsStep, planUncompaction, type RefusalReason } from '../plan/plan-compaction.ts'
import { type Chosen, chooseSummarised } from '../read/choose-summarised.ts'
import { windowParts } from '../read/session-window.ts'
import { payFor, type Requests } from '../summary/call-summariser.ts'
import { compactionChange, sizesAfter } from './compaction-change.ts'
import { cutSummary, LEAST_SUMMARY, spaceFor, writeOrKeepEnds } from './summary-space.ts'

/** Compaction by request, and its undo. `afterwards` runs when a compaction has ended in any way. */
export function createCompacting(
  ports: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
  afterwards: (sessionId: string) => void,
): Pick<HistoryService, 'compact' | 'uncompact'> {
  const { store } = ports

  return {
    async compact(sessionId) {
      const session = await requireSession(sessionId)
      await ports.budgets.assertLeft(session)
      try {
        const compacted = await compactAlone(session, ports, async () => {
          const { window, fixed } = await windowParts(session, ports)
          const { used, usable } = window
          // With an unknown limit, what is there is what may be there.
          return { used, usable: usable ?? used, fixed, auto: false }
        })
        return resultOrError(compacted)
      } finally {
        afterwards(sessionId)
      }
    },

    async uncompact(sessionId) {
      const session = await requireSession(sessionId)
      return await withExclusiveClaim(ports, sessionId, async (id) => {
        const outline = await store.history.outline(sessionId)
        const detail = planUncompaction(outline)
        const operation = { id, kind: 'uncompaction' as const, detail }
        const change = await visibilityChange(session, outline, operation, ports)
        const changed = await store.history.apply(change)
        await announceChange(change, outline, changed, ports)
        return resultOf(change.operation, outline)
      })
    },
  }
}

/** `urgent`: however few turns have passed since the last time. */
type Sizes = Pick<CompactRequest, 'used' | 'usable' | 'fixed' | 'auto' | 'next'> & { urgent?: boolean }

/** Compacts a session in which no run is on; while it lasts the session is busy, can be stopped, and queues what is sent. */
export async function compactAlone(
  session: Session,
  ports: HistoryPorts,
  measure: () => Promise<Sizes>,
): Promise<Compacted> {
  const operationId = createId('op')
  const claim = ports.coordinator.claim(session.id, { runId: operationId, messageId: null })
  try {
    await ports.claims.endStale(session.id)
    const { urgent, ...sizes } = await measure()
    const own = ports.compactionOf(session)
    const config = urgent ? { ...own, min_turns_between: 0 } : own
    return await compact({ ...sizes, session, operationId, config, signal: claim.signal }, ports)
  } catch (error) {
    if (claim.signal.aborted) throw new AppError('COMPACTION_FAILED', 'The compaction was stopped.')
    throw error
  } finally {
    claim.release()
  }
}

function resultOrError(outcome: Compacted) {
  switch (outcome.type) {
    case 'compacted': {
      const { id, detail } = outcome.operation
      const { beforeTokens = 0, afterTokens = 0 } = detail
      return { operationId: id, hidden: outcome.hidden, restored: 0, beforeTokens, afterTokens }
    }
    case 'refused':
      throw new AppError('CONFLICT', REFUSALS[outcome.reason])
    case 'given-up':
    case 'failed':
      throw new AppError('COMPACTION_FAILED', `${outcome.message} ${ALTERNATIVES}`)
  }
}

const REFUSALS: Record<Extract<Compacted, { type: 'refused' }>['reason'], string> = {
  'first-turn': 'There is only one turn yet; nothing can be summarised.',
  'too-soon': 'The last summary is too recent.',
  'nothing-to-summarise': 'Everything before the last turn is summarised already.',
}

export type CompactRequest = {
  session: Session
  operationId: string
  /** Tokens in the window now, and those it may hold. */
  used: number
  usable: number
  /** Tokens of the window that are the system prompt and the tools. */
  fixed: number
  auto: boolean
  config: CompactionConfig
  signal: AbortSignal
  /** The run inside which this happens, and the reply that it is writing. */
  run?: RunEpoch & { replyId: string }
  /** The conversation cannot continue as it is. */
  isForced?: boolean
  /** Requests that the turn may still make beside its own; absent outside of a turn, where there is no limit. */
  requests?: Requests
  /** A message about to be sent, which must fit beside what is left; else nothing changes. */
  next?: ChatMessage
}

export type Compacted =
  | { type: 'compacted'; operation: HistoryOperation; session: Session; hidden: number }
  | { type: 'refused'; reason: RefusalReason }
  /** The summariser is out of reach; nothing has changed and the conversation can continue. */
  | { type: 'given-up'; message: string }
  /** It gained too little, or could not be done. Nothing has changed. */
  | { type: 'failed'; message: string }

/** What is left to do when a compaction has failed. */
export const ALTERNATIVES =
  'Choose a model with a larger window, drop old tool results, branch from an earlier message, or start a new chat.'

const DOES_NOT_FIT = 'Even summarised, the conversation does not fit.'

/** Share of the usable window that the bodies of loaded skills may take beside the summary, at usual characters of a token. */
const SKILL_SHARE = 0.25
const CHARACTERS_PER_TOKEN = 4

/** Share of the usable window that messages after a summary written beforehand may take. */
const BESIDE_DRAFT = 0.5

/**
 * Summarises all visible messages but the tail, or returns the reason why not. Publishes its start and its end. Throws
 * when the signal aborts.
 */
export async function compact(request: CompactRequest, ports: HistoryPorts): Promise<Compacted> {
  const { session, auto, signal, requests } = request
  const { events, logger, store } = ports
  const sessionId = session.id
  const outline = await store.history.outline(sessionId)
  if (auto && awaitsStep(outline)) return { type: 'failed', message: DOES_NOT_FIT }
  const spent = await ports.budgets.reached(session)
  if (spent !== null) return { type: 'given-up', message: describeReached(spent) }
  const blocked = await blockedByHook(request, ports)
  if (blocked !== null) return { type: 'given-up', message: blocked }
  const draft = await untilAborted(ports.drafts.take(sessionId), signal)
  const chosen = await chooseSummarised({ ...request, draft, besideDraft: BESIDE_DRAFT }, store)
  if (chosen.type === 'refused') return chosen
  if (draft !== null && chosen.written === null) payFor(requests)
  const space = spaceFor({ ...request, replyId: request.run?.replyId ?? null }, chosen)
  if (space < LEAST_SUMMARY) return { type: 'failed', message: DOES_NOT_FIT }
  const { asked, note } = asAttempt(request, outline.operations.length, ports)
  if (chosen.shortened) logger.warn({ sessionId }, 'The last turns are too large to stay as they are')
  events.publish({ type: 'compaction-started', sessionId, auto })
  try {
    const outcome = await executeCompaction(asked, chosen, space, ports)
    note(outcome)
    announceEnd(outcome, sessionId, ports)
    reportEnd(outcome, sessionId, ports)
    return outcome
  } catch (error) {
    const message = signal.aborted ? 'The compaction was stopped.' : 'The compaction could not be completed.'
    announceEnd({ type: 'failed', message }, sessionId, ports)
    throw error
  }
}

/** In a turn, what failed before is asked of no model again; `note` keeps that it has failed. */
function asAttempt(request: CompactRequest, operations: number, { failedAttempts }: HistoryPorts) {
  const { session, used, requests } = request
  if (requests === undefined) return { asked: request, note: () => undefined }
  const attempt = { used, operations }
  const isRepeated = failedAttempts.isRepeated(session.id, attempt)
  return {
    asked: isRepeated ? { ...request, requests: { left: 0 } } : request,
    note({ type }: Compacted) {
      if (type !== 'compacted') failedAttempts.note(session.id, attempt)
    },
  }
}

/** Why a hook forbids the summary; null when none does. */
async function blockedByHook(
  { session, auto, used, usable, signal }: CompactRequest,
  { hookRunner }: HistoryPorts,
): Promise<string | null> {
  if (!hookRunner.has('compaction.before')) return null
  const facts = { sessionId: session.id, auto, usedTokens: used, usableTokens: usable }
  const { blocked } = await hookRunner.decide('compaction.before', facts, signal)
  if (blocked !== null && !auto) throw new AppError('HOOK_DENIED', blocked)
  return blocked
}

function reportEnd(outcome: Compacted, sessionId: string, { hookRunner }: HistoryPorts): void {
  if (outcome.type !== 'compacted') return
  const { id: operationId, detail } = outcome.operation
  const { beforeTokens = 0, afterTokens = 0 } = detail
  hookRunner.report('compaction.after', { sessionId, operationId, beforeTokens, afterTokens })
}

async function executeCompaction(
  request: CompactRequest,
  chosen: Chosen,
  space: number,
  ports: HistoryPorts,
): Promise<Compacted> {
  const { session, used, usable, fixed, signal, requests } = request
  const { store, clock } = ports
  const { written } = chosen
  const result =
    written === null
      ? await writeOrKeepEnds({ ...request, space }, chosen, ports)
      : { type: 'summary' as const, summary: written }
  if (result.type !== 'summary') return result
  signal.throwIfAborted()

  const gone = await chosen.goes.tokens()
  const text =
    requests !== undefined
      ? cutSummary(result.summary.text, { space, gone }, chosen.estimator)
      : result.summary.text
  const forSkills = Math.min(usable * SKILL_SHARE, space / 2)
  const skills = newestSkills(chosen.goes.skills, Math.floor(forSkills * CHARACTERS_PER_TOKEN))
  const whole = [text, ...skills.map((skill) => skill.text)].join('\n\n')
  const sizes = sizesAfter(chosen, { used, gone, fixed }, whole, request.run?.replyId ?? null)
  if (sizes.summary >= sizes.gone || sizes.after >= used)
    return { type: 'failed', message: 'The summary would not be smaller than what it replaces.' }
  if ((chosen.next !== null || requests !== undefined) && sizes.after + (chosen.next?.tokens ?? 0) >= usable)
    return { type: 'failed', message: DOES_NOT_FIT }

  const { entries } = await store.history.outline(session.id)
  const place = { lastSeq: entries.at(-1)?.seq ?? 0, at: clock.now() }
  const { operation, change, message } = compactionChange(
    request,
    chosen,
    { ...result.summary, text, skills },
    sizes,
    place,
  )
  const changed = await store.history.apply(change, request.run)
  announceSummary(operation, message, chosen, ports)
  const saved = new Set(sizes.savedParts)
  const shortened = chosen.newest.filter(({ parts }) => parts.some(({ id }) => saved.has(id)))
  await publishChanged(
    session.id,
    shortened.map(({ id }) => id),
    ports,
  )
  await announceUsage(changed, ports)
  const hidden = chosen.summarised.filter(({ compactionId }) => compactionId === null).length
  return { type: 'compacted', operation, session: changed, hidden }
}

function announceSummary(
  operation: HistoryOperation,
  message: ChatMessage,
  { summarised }: Chosen,
  { events }: HistoryPorts,
): void {
  const { id, sessionId } = operation
  const messageIds = summarised.map((hidden) => hidden.id)
  events.publish({ type: 'message-hidden', sessionId, messageIds, hiddenBy: id })
  events.publish({ type: 'message-added', sessionId, message })
  events.publish({ type: 'history', sessionId, operation })
}

function announceEnd(outcome: Compacted, sessionId: string, { events }: HistoryPorts): void {
  if (outcome.type === 'compacted') {
    const { beforeTokens = 0, afterTokens = 0 } = outcome.operation.detail
    events.publish({ type: 'compaction-completed', sessionId, beforeTokens, afterTokens })
  } else if (outcome.type !== 'refused') {
    const { message } = outcome
    events.publish({ type: 'compaction-failed', sessionId, code: 'COMPACTION_FAILED', message })
  }
}
