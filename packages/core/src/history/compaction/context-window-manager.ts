import {
  charactersToTokens,
  estimateAtPace,
  estimateTokens,
  uncountedTokens,
} from '../../context/estimate-tokens.ts'
import { buildModelView, type ModelView } from '../../context/model-view.ts'
import { createPace, eachAtPace } from '../../domain/async/pace.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { createId } from '../../domain/ids.ts'
import { type ChatMessage, isToolPart, type StoredMessage } from '../../domain/message/message.ts'
import type { ModelInfo } from '../../domain/model/model.ts'
import type { Session } from '../../domain/session/session.ts'
import { contextWindow, LEAST_REPLY, replyLimit } from '../../domain/window/context-window.ts'
import type { HistoryPorts } from '../apply/perform.ts'
import { markOutputs, prune } from '../apply/prune.ts'
import { estimatorOf } from '../plan/measured.ts'
import { innerOutputs } from '../plan/prunable-outputs.ts'
import { windowParts } from '../read/session-window.ts'
import { ALTERNATIVES, compact } from './compact.ts'

/** Share of the usable window from which tool outputs are pruned between turns. */
const PRUNE_AT = 0.6

/** Requests that a turn may make beside its own steps. */
const BESIDE = 2

/** Share of a refused request that another one is tried with at most. */
const SMALLER = 0.9

type ManagedRun = {
  session: Session
  runId: string
  epoch: number
  /** The reply that the run writes. */
  messageId: string
  info: ModelInfo
  signal: AbortSignal
  /** What is visible as the run begins. */
  visible: readonly StoredMessage[]
}

/** The result of a check of the window. */
export type Capacity =
  | { type: 'unchanged' }
  /** What the model sees from now on before the reply, and the calls of the reply whose outputs it sees as stubs. */
  | { type: 'changed'; view: ModelView; stubs: ReadonlySet<string> }
  | { type: 'failed'; error: { code: ErrorCode; message: string } }

/** The reply so far, what the model sees before it, the characters of outputs that it sees of neither, and the tokens of the fixed part. */
export type NextRequest = { message: ChatMessage; view: ModelView; pruned: number; fixed: number }

/** Keeps the context window of a run from overflowing. */
export type ContextWindowManager = {
  /** Tokens that the window may hold; null when that is unknown. It shrinks when the provider turns out to take less. */
  readonly usable: number | null
  /** Tokens that the next reply is requested with at most; null for no limit. */
  readonly replyTokens: number | null
  /** To be called before the `step`-th model call, which would hold `next`. */
  ensureCapacity(step: number, next: NextRequest): Promise<Capacity>
  /**
   * To be called after a provider has refused a prompt as too long; `limit` is the window that it names, null for none. `refit` makes
   * the fixed part fit the window that is known then, and returns its tokens.
   */
  afterOverflow(limit: number | null, refit: (usable: number) => number): Promise<Capacity>
  /** To be called when the provider has refused the smaller prompt as well; returns the words of the turn's error. */
  refused(limit: number | null): string
  /** To be called with the tokens that the provider has counted of the last request, in which the model saw this with its fixed part. */
  noteCount(tokens: number, view: ModelView, fixed: number): void
}

const UNCHANGED: Capacity = { type: 'unchanged' }

/** `sendable`: tokens below which the request is sent where no summary helps. */
type Need = {
  session: Session
  used: number
  usable: number
  sendable: number
  fixed: number
  isForced: boolean
}

/** Prunes and compacts between the steps of a run. */
export function createContextWindowManager(run: ManagedRun, ports: HistoryPorts): ContextWindowManager {
  const { runId, epoch, messageId: replyId, info, signal } = run
  const { store, clock, learnedWindows } = ports
  const config = ports.compactionOf(run.session)
  const requests = { left: BESIDE }
  /** Tokens of the request that is made next, as they are counted here. */
  let planned = 0

  /** Prunes, and where that is not enough compacts. */
  async function freeTokens(need: Need, enough: (used: number) => boolean): Promise<Capacity> {
    const pruned = await prune(need.session, need.usable, ports, { runId, epoch })
    const used = need.used - pruned.tokens
    planned = used
    const capacity = enough(used) ? UNCHANGED : await compactTo({ ...need, used })
    return capacity.type === 'unchanged' && pruned.parts > 0 ? await changedCapacity() : capacity
  }

  async function compactTo(need: Need): Promise<Capacity> {
    const request = { ...need, operationId: createId('op'), auto: true, config, signal, requests }
    const outcome = await compact({ ...request, run: { runId, epoch, replyId } }, ports)
    switch (outcome.type) {
      case 'compacted':
        planned = outcome.operation.detail.afterTokens ?? need.used
        return await changedCapacity()
      case 'given-up':
        if (need.isForced) return await emptyTurn(need, outcome.message)
        ports.logger.warn({ sessionId: run.session.id, runId }, 'Continued without a compaction')
        return UNCHANGED
      case 'failed':
        return await emptyTurn(need, outcome.message)
      case 'refused':
        return await emptyTurn(need, 'There is nothing to summarise.')
    }
  }

  /** Where no summary helps: leaves out what the tools of the turn found, but for its last step. `why` there is no summary. */
  async function emptyTurn({ session, used, sendable }: Need, why: string): Promise<Capacity> {
    const visible = await store.messages.visible(session.id)
    const outputs = innerOutputs(visible, replyId, estimatorOf(session, visible))
    const { parts, tokens } = await markOutputs(session, 'prune', outputs, ports, { runId, epoch })
    planned = used - tokens
    if (planned >= sendable) return exhausted(visible.every(isAsked) ? TOO_LONG : `${why} ${ALTERNATIVES}`)
    return parts > 0 ? await changedCapacity() : UNCHANGED
  }

  async function changedCapacity(): Promise<Capacity> {
    const visible = await store.messages.visible(run.session.id)
    const building = buildModelView()
    const before = visible.filter(({ id }) => id !== replyId)
    await eachAtPace(before, createPace(clock), building.add)
    return {
      type: 'changed',
      view: building.view(),
      stubs: prunedCalls(visible.find(({ id }) => id === replyId)),
    }
  }

  async function current(): Promise<Session> {
    return (await store.sessions.get(run.session.id)) ?? run.session
  }

  function windowNow() {
    return contextWindow(0, false, learnedWindows.applyTo(info), config.reserve_tokens)
  }

  function replyTokens() {
    return replyLimit(learnedWindows.applyTo(info), planned, windowNow().usable)
  }

  /** What a refusal shows of a window; the result notes that its server counts more, where the window was known. */
  function learnRefusal(limit: number | null): () => void {
    const known = learnedWindows.applyTo(info)
    const sent = planned + (replyTokens() ?? 0)
    learnedWindows.refused(known, planned, limit)
    const { contextLimit } = learnedWindows.applyTo(info)
    return () => {
      if (contextLimit === known.contextLimit) learnedWindows.countsMore(known, sent)
    }
  }

  /** A stop in the middle is no failure: the loop sees the signal. */
  async function unlessStopped(making: Promise<Capacity>): Promise<Capacity> {
    try {
      return await making
    } catch (error) {
      if (signal.aborted) return UNCHANGED
      throw error
    }
  }

  return {
    get usable() {
      return windowNow().usable
    },

    get replyTokens() {
      return replyTokens()
    },

    async ensureCapacity(step, next) {
      const used = await usedBefore(step, next)
      planned = used
      const { usable, limit } = windowNow()
      if (usable === null || limit === null) return UNCHANGED
      const early = step === 1 && used >= PRUNE_AT * usable
      if (used < usable && !early) return UNCHANGED
      const sendable = limit - LEAST_REPLY
      const isForced = used >= sendable
      const need = { session: await current(), used, usable, sendable, fixed: next.fixed, isForced }
      return await unlessStopped(freeTokens(need, (left) => left < usable))
    },

    async afterOverflow(limit, refit) {
      const before = windowNow().usable
      const countsMore = learnRefusal(limit)
      // The refused request is paid for like any other.
      if (requests.left === 0) {
        countsMore()
        return exhausted(REFUSED)
      }
      requests.left -= 1
      const { usable } = windowNow()
      const isSmaller = usable !== null && (before === null || usable < before)
      const session = await current()
      const { window, fixed } = await windowParts(session, ports)
      const refitted = isSmaller ? refit(usable) : fixed
      const used = window.used - fixed + refitted
      if (isSmaller && used < Math.min(usable, SMALLER * planned)) {
        planned = used
        return await changedCapacity()
      }
      // The provider refused this size, so the configured limit is too high.
      const most = Math.min(usable ?? used, used)
      const need = { session, used, usable: most, sendable: most, fixed: refitted, isForced: true }
      const capacity = await unlessStopped(freeTokens(need, () => false))
      if (capacity.type === 'changed') countsMore()
      return capacity
    },

    refused(limit) {
      learnRefusal(limit)()
      return REFUSED
    },

    noteCount(tokens, { messages }, fixed) {
      const sent = () => fixed + estimateTokens(messages, info.providerId)
      learnedWindows.counted(info, tokens, sent)
    },
  }

  /** Tokens that the next call would hold. */
  async function usedBefore(step: number, { message, view, pruned, fixed }: NextRequest): Promise<number> {
    if (step === 1) return (await windowParts(run.session, ports, run.visible, fixed)).window.used
    const { providerId } = run.session.model
    const window = message.metadata?.window
    if (window === undefined) {
      const messages = [...view.messages, message]
      return fixed + (await estimateAtPace(messages, { providerId }, createPace(clock)))
    }
    const saved = charactersToTokens(pruned - (window.pruned ?? 0), providerId, window.scale)
    const grown = fixed - (window.fixed ?? fixed)
    return window.tokens - saved + grown + uncountedTokens(message, providerId, window.scale)
  }
}

const REFUSED = `The conversation no longer fits into the context window of this model. ${ALTERNATIVES}`

/** The end of a chat that has nothing yet but what was asked in it. */
const TOO_LONG =
  'The message is too long for the window of this model. Make it shorter, send it in parts, or choose a model with a larger window.'

function exhausted(message: string): Capacity {
  return { type: 'failed', error: { code: 'CONTEXT_EXHAUSTED', message } }
}

/** True for a message of the person. */
function isAsked({ role, metadata }: StoredMessage): boolean {
  return role === 'user' && metadata.compactionId === undefined
}

/** The calls of a reply whose outputs its model sees as stubs. */
export function prunedCalls(reply: StoredMessage | undefined | null): ReadonlySet<string> {
  const pruned = reply?.parts.filter(({ prunedAt }) => prunedAt !== null) ?? []
  return new Set(pruned.flatMap(({ data }) => (isToolPart(data) ? [data.toolCallId] : [])))
}
