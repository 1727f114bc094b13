import { asSeen, isSummary } from '../../context/model-view.ts'
import { type ChatMessage, type StoredMessage, toChatMessage } from '../../domain/message.ts'
import { type ModelRef, sameModel } from '../../domain/model.ts'
import type { Session } from '../../domain/session.ts'
import type { CompactionConfig } from '../../history/compaction/compaction-config.ts'
import { SUMMARY_OUTPUT_TOKENS } from '../../history/compaction/summary-prompt.ts'
import type { Clock, Models } from '../../ports/index.ts'
import { type Summarised, summarise } from './summarise.ts'

export type SummaryTask = {
  session: Session
  visible: readonly StoredMessage[]
  summarised: readonly { id: string }[]
  /** Tokens that the window may hold. */
  usable: number
  config: CompactionConfig
  signal: AbortSignal
}

/** Share of a small window that its summary may take. */
const SUMMARY_SHARE = 0.25
const LEAST_OUTPUT = 256

/**
 * Has the summary of some visible messages written by the cheapest model of the provider that spoke last; by the model
 * that spoke itself where that one cannot be used.
 */
export async function writeSummary(
  { session, visible, summarised, usable, config, signal }: SummaryTask,
  { models, clock, random }: { models: Models; clock: Clock; random(): number },
): Promise<Summarised> {
  const ids = new Set(summarised.map(({ id }) => id))
  const messages = toSummarise(visible.filter(({ id }) => ids.has(id)))
  const share = Math.max(LEAST_OUTPUT, Math.floor(SUMMARY_SHARE * usable))
  const maxOutput = Math.min(SUMMARY_OUTPUT_TOKENS, share)
  const ask = async (model: ModelRef) => {
    const open = await models.open(model)
    const retries = config.retry_on_transient
    return await summarise(messages, config, { open, maxOutput, clock, random, retries, signal })
  }
  const { variant: _, ...own } = await speakerOf(visible, session, models)
  const cheap = await models.cheapSibling(own)
  const result = await ask(cheap)
  const unusable = result.type === 'failed' && result.unusable
  return unusable && !sameModel(cheap, own) ? await ask(own) : result
}

/** The model of the last reply, if it is still there: a conversation is better left to its provider than to a new one. */
async function speakerOf(
  visible: readonly StoredMessage[],
  session: Session,
  models: Models,
): Promise<ModelRef> {
  const reply = visible.findLast(({ role, metadata }) => role === 'assistant' && metadata.model !== undefined)
  const model = reply?.metadata.model
  return model !== undefined && (await models.find(model)) !== null ? model : session.model
}

/** Summaries keep their part, so that the transcript marks them; everything else as the model sees it. */
function toSummarise(messages: readonly StoredMessage[]): ChatMessage[] {
  return [
    ...messages.filter(isSummary).map(toChatMessage),
    ...messages.filter((message) => !isSummary(message)).map(asSeen),
  ]
}
