import type { HistoryOperation } from '../../domain/history-operation.ts'
import type { ChatMessage } from '../../domain/message.ts'
import type { Session } from '../../domain/session.ts'
import { untilAborted } from '../../domain/until-aborted.ts'
import { announceUsage } from '../operation/announce.ts'
import type { HistoryPorts } from '../operation/perform.ts'
import { tellChanged } from '../operation/publish-changed.ts'
import { awaitsStep } from './awaits-step.ts'
import { type Chosen, chooseSummarised } from './choose-summarised.ts'
import { compactionChange, sizesAfter } from './compaction-change.ts'
import type { CompactionConfig } from './compaction-config.ts'
import type { RefusalReason } from './plan-compaction.ts'
import { writeSummary } from './write-summary.ts'

export type CompactRequest = {
  session: Session
  operationId: string
  /** Tokens in the window now, and those it may hold. */
  used: number
  usable: number
  auto: boolean
  config: CompactionConfig
  signal: AbortSignal
  /** The run inside which this happens, and the reply that it is writing. */
  run?: { runId: string; replyId: string }
  /** A message about to be sent, which must fit beside what is left; else nothing changes. */
  next?: ChatMessage
}

export type Compacted =
  | { type: 'compacted'; operation: HistoryOperation; session: Session; hidden: number }
  | { type: 'refused'; reason: RefusalReason }
  /** The summariser is out of reach; nothing has changed and the conversation can go on. */
  | { type: 'given-up'; message: string }
  /** It gained too little, or could not be done. Nothing has changed. */
  | { type: 'failed'; message: string }

/** What is left to do when a compaction has failed. */
export const WAYS_OUT =
  'Start a new session, branch from an earlier message, or free space by pruning tool outputs.'

const DOES_NOT_FIT = 'Even summarised, the conversation does not fit.'

/** Share of the usable window that may stand beside a summary written beforehand. */
const BESIDE_DRAFT = 0.5

/**
 * Summarises all but the tail of what is visible, or tells why not. Everyone is told of its begin and its end. Throws
 * when the signal aborts.
 */
export async function compact(request: CompactRequest, ports: HistoryPorts): Promise<Compacted> {
  const { session, auto, signal } = request
  const { events, logger, store } = ports
  const sessionId = session.id
  if (auto && awaitsStep(await store.history.outline(sessionId)))
    return { type: 'failed', message: DOES_NOT_FIT }
  const draft = await untilAborted(ports.drafts.take(sessionId), signal)
  const chosen = await chooseSummarised({ ...request, draft, besideDraft: BESIDE_DRAFT }, store)
  if (chosen.type === 'refused') return chosen
  if (chosen.shortened) logger.warn({ sessionId }, 'The last turns are too large to stay as they are')
  events.publish({ type: 'compaction-started', sessionId, auto })
  try {
    const outcome = await carryOut(request, chosen, ports)
    announceEnd(outcome, sessionId, ports)
    return outcome
  } catch (error) {
    const message = signal.aborted ? 'The compaction was stopped.' : 'The compaction could not be completed.'
    announceEnd({ type: 'failed', message }, sessionId, ports)
    throw error
  }
}

async function carryOut(request: CompactRequest, chosen: Chosen, ports: HistoryPorts): Promise<Compacted> {
  const { session, used, usable, config, signal } = request
  const { store, clock } = ports
  const { written } = chosen
  const result =
    written === null
      ? await writeSummary({ session, ...chosen, usable, config, signal }, ports)
      : { type: 'summary' as const, summary: written }
  if (result.type !== 'summary') return result
  signal.throwIfAborted()

  const { text } = result.summary
  const gone = await chosen.goes.tokens()
  const sizes = sizesAfter(chosen, { used, gone }, text, request.run?.replyId ?? null)
  if (sizes.summary >= sizes.gone || sizes.after >= used)
    return { type: 'failed', message: 'The summary would not be smaller than what it stands for.' }
  if (chosen.next !== null && sizes.after + chosen.next.tokens >= usable)
    return { type: 'failed', message: DOES_NOT_FIT }

  const { entries } = await store.history.outline(session.id)
  const place = { lastSeq: entries.at(-1)?.seq ?? 0, at: clock.now() }
  const { operation, change, message } = compactionChange(request, chosen, result.summary, sizes, place)
  const changed = await store.history.apply(change, request.run?.runId)
  announceSummary(operation, message, chosen, ports)
  const spared = new Set(sizes.sparedParts)
  const shortened = chosen.newest.filter(({ parts }) => parts.some(({ id }) => spared.has(id)))
  await tellChanged(
    session.id,
    shortened.map(({ id }) => id),
    ports,
  )
  await announceUsage(changed, ports)
  return { type: 'compacted', operation, session: changed, hidden: chosen.summarised.length }
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
