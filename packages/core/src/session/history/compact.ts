import { calibrate, estimateTokens } from '../../context/estimate-tokens.ts'
import { toModelView } from '../../context/model-view.ts'
import type { HistoryOperation } from '../../domain/history-operation.ts'
import { createId } from '../../domain/ids.ts'
import { type ChatMessage, type StoredMessage, toChatMessage } from '../../domain/message.ts'
import type { ModelRef } from '../../domain/model.ts'
import { toRanges } from '../../domain/seq-ranges.ts'
import type { Session } from '../../domain/session.ts'
import type { CompactionConfig } from '../../history/compaction/compaction-config.ts'
import {
  type CompactionPlan,
  type Measured,
  planCompaction,
  sizeOf,
} from '../../history/compaction/plan-compaction.ts'
import { intermediateOutputs } from '../../history/pruning/outputs.ts'
import type { NewMessage } from '../../ports/index.ts'
import { announceUsage } from '../announce.ts'
import type { HistoryPorts } from './perform.ts'
import { summarise } from './summarise.ts'

export type CompactRequest = {
  session: Session
  operationId: string
  /** Tokens in the window now, and those it may hold. */
  used: number
  usable: number
  auto: boolean
  /** The run inside which this happens; null by hand. */
  runId: string | null
  config: CompactionConfig
  signal: AbortSignal
}

export type Compacted =
  | { type: 'compacted'; operation: HistoryOperation; session: Session; hidden: number }
  | { type: 'refused'; reason: Extract<CompactionPlan, { type: 'refused' }>['reason'] }
  /** The summariser is out of reach; nothing has changed and the conversation can go on. */
  | { type: 'given-up'; message: string }
  | { type: 'failed'; message: string }

type Chosen = Extract<CompactionPlan, { type: 'compact' }>

/** Summarises all but the tail of what is visible, or tells why not. Everyone is told of its begin and its end. */
export async function compact(request: CompactRequest, ports: HistoryPorts): Promise<Compacted> {
  const { session, auto, usable, config } = request
  const visible = await ports.store.messages.visible(session.id)
  const scale = calibrate(visible.map(toChatMessage), session.model.providerId)
  const plan = planCompaction(
    visible.map((message) => measured(message, session, scale)),
    usable,
    config,
  )
  if (plan.type === 'refused') return plan
  ports.events.publish({ type: 'compaction-started', sessionId: session.id, auto })
  const outcome = await carryOut(request, plan, visible, scale, ports)
  announceEnd(outcome, session.id, ports)
  return outcome
}

async function carryOut(
  request: CompactRequest,
  plan: Chosen,
  visible: readonly StoredMessage[],
  scale: number,
  ports: HistoryPorts,
): Promise<Compacted> {
  const { session, used, usable, config, signal } = request
  const { store, models, clock, random } = ports
  const open = await models.open(await models.cheapSibling(writerOf(visible) ?? session.model))
  const gone = new Set(plan.summarised.map(({ id }) => id))
  const view = toSummarise(visible.filter(({ id }) => gone.has(id)))
  const result = await summarise(view, config, {
    open,
    clock,
    random,
    retries: config.retry_on_transient,
    signal,
  })
  if (result.type !== 'summary') return result

  const summaryTokens = estimateTokens([textMessage(result.summary.text)], session.model.providerId, scale)
  const after = Math.max(0, used - sizeOf(plan.summarised) + summaryTokens)
  if (after >= used || summaryTokens >= sizeOf(plan.summarised))
    return { type: 'failed', message: 'The summary would not be smaller.' }
  if (after >= usable) ports.logger.warn({ sessionId: session.id }, 'The tail alone nearly fills the window')
  signal.throwIfAborted()

  const { entries } = await store.history.outline(session.id)
  const place = { lastSeq: entries.at(-1)?.seq ?? 0, at: clock.now() }
  const { operation, insert } = describe(request, plan, result.summary, { summaryTokens, after }, place)
  const changed = await store.history.apply(
    {
      operation,
      insert,
      prune: plan.split ? intermediateOutputs(visible, new Set(plan.tail.map(({ id }) => id))) : [],
      unprune: [],
      contextTokens: after,
      contextEstimated: true,
    },
    request.runId ?? undefined,
  )
  announce(operation, insert, plan, ports)
  await announceUsage(changed, ports)
  return { type: 'compacted', operation, session: changed, hidden: plan.summarised.length }
}

function describe(
  { session, operationId, used, auto }: CompactRequest,
  plan: Chosen,
  summary: { text: string; tokens: number },
  sizes: { summaryTokens: number; after: number },
  { lastSeq, at }: { lastSeq: number; at: number },
): { operation: HistoryOperation; insert: NewMessage } {
  const summaryMessageId = createId('msg')
  const tailStartId = plan.tail[0]?.id ?? ''
  const tokens = { beforeTokens: used, afterTokens: sizes.after }
  const hidden = toRanges(plan.summarised.map(({ seq }) => seq))
  const data = {
    summary: summary.text,
    tail_start_id: tailStartId,
    auto,
    summary_tokens: sizes.summaryTokens,
    before_tokens: used,
    after_tokens: sizes.after,
  }
  return {
    operation: {
      id: operationId,
      sessionId: session.id,
      kind: 'compaction',
      createdAt: at,
      detail: {
        lastSeq,
        hidden,
        shown: [],
        summarySeq: lastSeq + 1,
        summaryMessageId,
        tailStartId,
        auto,
        ...tokens,
        summaryTokens: summary.tokens,
      },
    },
    insert: {
      id: summaryMessageId,
      sessionId: session.id,
      role: 'assistant',
      metadata: {
        schemaVersion: 1,
        createdAt: at,
        synthetic: true,
        summary: true,
        compactionId: operationId,
      },
      parts: [{ type: 'data-compaction', data }],
    },
  }
}

function announce(
  operation: HistoryOperation,
  insert: NewMessage,
  plan: Chosen,
  { events }: HistoryPorts,
): void {
  const { sessionId } = operation
  const { id, role, metadata, parts } = insert
  events.publish({
    type: 'message-hidden',
    sessionId,
    messageIds: plan.summarised.map((message) => message.id),
    hiddenBy: operation.id,
  })
  events.publish({ type: 'message-added', sessionId, message: { id, role, metadata, parts } })
  events.publish({ type: 'history', sessionId, operation })
}

function announceEnd(outcome: Compacted, sessionId: string, { events }: HistoryPorts): void {
  if (outcome.type === 'compacted') {
    const { beforeTokens = 0, afterTokens = 0 } = outcome.operation.detail
    events.publish({ type: 'compaction-completed', sessionId, beforeTokens, afterTokens })
  } else if (outcome.type !== 'refused') {
    events.publish({
      type: 'compaction-failed',
      sessionId,
      code: 'COMPACTION_FAILED',
      message: outcome.message,
    })
  }
}

function measured(message: StoredMessage, { model }: Session, scale: number): Measured {
  const tokens = estimateTokens(toModelView([message]), model.providerId, scale)
  const { id, seq, role, metadata } = message
  return { id, seq: seq ?? 0, role, tokens, compactionId: metadata.compactionId ?? null }
}

/** Summaries keep their part, so that the transcript marks them; everything else as the model sees it. */
function toSummarise(messages: readonly StoredMessage[]): ChatMessage[] {
  const isSummary = ({ metadata }: StoredMessage) => metadata.compactionId !== undefined
  return [
    ...messages.filter(isSummary).map(toChatMessage),
    ...toModelView(messages.filter((message) => !isSummary(message))),
  ]
}

/** The model that wrote the last reply: a summary is better left to its provider than to one just switched to. */
function writerOf(visible: readonly StoredMessage[]): ModelRef | undefined {
  return visible.findLast(({ role, metadata }) => role === 'assistant' && metadata.model !== undefined)
    ?.metadata.model
}

function textMessage(text: string): ChatMessage {
  return { id: '', role: 'user', parts: [{ type: 'text', text }] }
}
