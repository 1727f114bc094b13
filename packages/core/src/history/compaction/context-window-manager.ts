import { charactersToTokens, estimateAtPace, uncountedTokens } from '../../context/estimate-tokens.ts'
import { buildModelView, type ModelView } from '../../context/model-view.ts'
import { contextWindow } from '../../domain/context-window.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { createId } from '../../domain/ids.ts'
import { type ChatMessage, isToolPart, type StoredMessage } from '../../domain/message.ts'
import type { ModelInfo } from '../../domain/model.ts'
import { createPace, eachAtPace } from '../../domain/pace.ts'
import type { Session } from '../../domain/session.ts'
import type { HistoryPorts } from '../operation/perform.ts'
import { innerOutputs } from '../pruning/outputs.ts'
import { markOutputs, prune } from '../pruning/prune.ts'
import { estimatorOf } from '../window/measured.ts'
import { sessionWindow } from '../window/session-window.ts'
import { ALTERNATIVES, compact } from './compact.ts'

/** Share of the usable window from which tool outputs are pruned between turns. */
const PRUNE_AT = 0.6

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

/** The reply so far, what the model sees before it, and the characters of outputs that it sees of neither. */
type NextRequest = { message: ChatMessage; view: ModelView; pruned: number }

/** Keeps the context window of a run from overflowing. */
export type ContextWindowManager = {
  /** To be called before the `step`-th model call, which would hold `next`. */
  ensureCapacity(step: number, next: NextRequest): Promise<Capacity>
  /** To be called after a provider has refused a prompt as too long. */
  afterOverflow(): Promise<Capacity>
}

const UNCHANGED: Capacity = { type: 'unchanged' }

type Need = { session: Session; used: number; usable: number }

/** Prunes and compacts between the steps of a run. */
export function createContextWindowManager(run: ManagedRun, ports: HistoryPorts): ContextWindowManager {
  const { runId, epoch, messageId: replyId, info, signal } = run
  const { store, clock } = ports
  const config = ports.compactionOf(run.session)

  /** Prunes, and where that is not enough compacts. */
  async function freeTokens(need: Need, enough: (used: number) => boolean): Promise<Capacity> {
    const pruned = await prune(need.session, ports, { runId, epoch })
    const used = need.used - pruned.tokens
    const capacity = enough(used) ? UNCHANGED : await compactTo({ ...need, used })
    return capacity.type === 'unchanged' && pruned.parts > 0 ? await changedCapacity() : capacity
  }

  async function compactTo(need: Need): Promise<Capacity> {
    const request = { ...need, operationId: createId('op'), auto: true, config, signal }
    const outcome = await compact({ ...request, run: { runId, epoch, replyId } }, ports)
    switch (outcome.type) {
      case 'compacted':
        return await changedCapacity()
      case 'failed':
        return failed(outcome.message)
      case 'refused':
        return (await emptyTurn(need.session)) ? await changedCapacity() : UNCHANGED
      case 'given-up':
        ports.logger.warn({ sessionId: run.session.id, runId }, 'Continued without a compaction')
        return UNCHANGED
    }
  }

  /** Where there is nothing to summarise: leaves out what the tools of the only turn found, but for its last step. */
  async function emptyTurn(session: Session): Promise<boolean> {
    const visible = await store.messages.visible(session.id)
    const outputs = innerOutputs(visible, replyId, estimatorOf(session, visible))
    return (await markOutputs(session, 'prune', outputs, ports, { runId, epoch })).parts > 0
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

  function usableOf(used: number): number | null {
    return contextWindow(used, false, info, config.reserve_tokens).usable
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
    async ensureCapacity(step, next) {
      const used = await usedBefore(step, next)
      const usable = usableOf(used)
      if (usable === null) return UNCHANGED
      const early = step === 1 && used >= PRUNE_AT * usable
      if (used < usable && !early) return UNCHANGED
      const need = { session: await current(), used, usable }
      return await unlessStopped(freeTokens(need, (left) => left < usable))
    },

    async afterOverflow() {
      const session = await current()
      const { used } = await sessionWindow(session, ports)
      // The provider refused this size, so the configured limit is too high.
      const need = { session, used, usable: Math.min(usableOf(used) ?? used, used) }
      return await unlessStopped(freeTokens(need, () => false))
    },
  }

  /** Tokens that the next call would hold. */
  async function usedBefore(step: number, { message, view, pruned }: NextRequest): Promise<number> {
    if (step === 1) return (await sessionWindow(run.session, ports, run.visible)).used
    const { providerId } = run.session.model
    const window = message.metadata?.window
    if (window === undefined)
      return await estimateAtPace([...view.messages, message], { providerId }, createPace(clock))
    const saved = charactersToTokens(pruned - (window.pruned ?? 0), providerId, window.scale)
    return window.tokens - saved + uncountedTokens(message, providerId, window.scale)
  }
}

function failed(reason: string): Capacity {
  return { type: 'failed', error: { code: 'COMPACTION_FAILED', message: `${reason} ${ALTERNATIVES}` } }
}

/** The calls of a reply whose outputs its model sees as stubs. */
export function prunedCalls(reply: StoredMessage | undefined | null): ReadonlySet<string> {
  const pruned = reply?.parts.filter(({ prunedAt }) => prunedAt !== null) ?? []
  return new Set(pruned.flatMap(({ data }) => (isToolPart(data) ? [data.toolCallId] : [])))
}
