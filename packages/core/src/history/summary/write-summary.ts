import type { Budgets } from '../../budget/budgets.ts'
import type { StoredMessage } from '../../domain/message/message.ts'
import type { ModelRef } from '../../domain/model/model.ts'
import type { TokenCounts } from '../../domain/model/usage.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Clock, Models } from '../../ports/index.ts'
import type { CompactionConfig } from '../plan/compaction-config.ts'
import type { Chosen } from '../read/choose-summarised.ts'
import { askCheapest, type Requests } from './call-summariser.ts'
import { type Summarised, summarise } from './summarise.ts'
import { SUMMARY_INSTRUCTIONS, SUMMARY_OUTPUT_TOKENS } from './summary-prompt.ts'

export type SummaryTask = Pick<Chosen, 'goes' | 'newest'> & {
  session: Session
  /** Tokens that the window may hold. */
  usable: number
  config: CompactionConfig
  signal: AbortSignal
  /** Requests that may be made for it; without it there is no limit. */
  requests?: Requests
  /** Tokens that it may take, where that is less than its share of the window. */
  space?: number
}

export type SummaryPorts = { models: Models; clock: Clock; budgets: Budgets; random(): number }

/** Share of a small window that its summary may take. */
export const SUMMARY_SHARE = 0.25
const LEAST_OUTPUT = 256

/**
 * Has the summary of what goes written by the cheapest model of the provider that spoke last; by the model
 * that spoke itself where that one cannot be used.
 */
export async function writeSummary(
  { session, goes, newest, usable, config, signal, requests, space }: SummaryTask,
  { models, clock, random, budgets }: SummaryPorts,
): Promise<Summarised> {
  const share = Math.max(LEAST_OUTPUT, Math.floor(SUMMARY_SHARE * usable))
  const maxOutput = Math.min(SUMMARY_OUTPUT_TOKENS, share, Math.max(LEAST_OUTPUT, space ?? share))
  const ask = async (model: ModelRef) => {
    const open = await models.open(model)
    const retries = config.retry_on_transient
    const charge = (counts: TokenCounts) => budgets.charge(session, open.info, counts)
    const instructions = SUMMARY_INSTRUCTIONS
    const deps = {
      open,
      instructions,
      maxOutput,
      clock,
      random,
      retries,
      signal,
      charge,
      ...(requests && { requests }),
    }
    return await summarise(goes.transcript, config, deps)
  }
  const speaker = await speakerOf({ goes, newest }, session, models)
  return await askCheapest(speaker, models, ask, (result) => result.type === 'failed' && result.unusable)
}

/** The model of the last reply, if it is still there: a conversation is better left to its provider than to a new one. */
async function speakerOf(
  { goes, newest }: Pick<Chosen, 'goes' | 'newest'>,
  session: Session,
  models: Models,
): Promise<ModelRef> {
  const reply = newest.findLast(isReply) ?? (await goes.lastReply())
  const model = reply?.metadata.model
  return model !== undefined && (await models.find(model)) !== null ? model : session.model
}

function isReply({ role, metadata }: StoredMessage): boolean {
  return role === 'assistant' && metadata.model !== undefined
}
