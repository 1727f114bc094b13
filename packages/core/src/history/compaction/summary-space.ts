import { estimateTextTokens } from '../../context/estimate-tokens.ts'
import type { Estimator } from '../plan/prunable-outputs.ts'
import type { Chosen } from '../read/choose-summarised.ts'
import type { Requests } from '../summary/call-summariser.ts'
import { charactersFor, middleCut, withoutMiddle } from '../summary/pieces.ts'
import type { Summarised } from '../summary/summarise.ts'
import { SUMMARY_SHARE, type SummaryPorts, type SummaryTask, writeSummary } from '../summary/write-summary.ts'
import { tailAfter } from './compaction-change.ts'

/** Tokens of the marks around a summary, and those that a summary has at least. */
const ENVELOPE_TOKENS = 40
export const LEAST_SUMMARY = 64

/** The window that a summary has to fit, and the reply that a turn writes; `requests` is absent outside of a turn. */
type TurnWindow = { usable: number; fixed: number; requests?: Requests; replyId: string | null }

/** Tokens that are left in the window of a turn for a summary, beside what stays: the fixed part, the tail and a next message. */
export function spaceFor({ usable, fixed, requests, replyId }: TurnWindow, chosen: Chosen): number {
  if (requests === undefined) return Number.POSITIVE_INFINITY
  const tail = tailAfter(chosen, replyId).tokens
  return usable - fixed - ENVELOPE_TOKENS - tail - (chosen.next?.tokens ?? 0) - 1
}

/**
 * The summary of what goes. Where none can be written in a turn, the beginning and the end of it, word for word; and likewise when the
 * summariser cannot be reached and the conversation cannot continue as it is.
 */
export async function writeOrKeepEnds(
  request: Omit<SummaryTask, 'goes' | 'newest'> & { isForced?: boolean; space: number },
  chosen: Chosen,
  ports: SummaryPorts,
): Promise<Summarised> {
  const { requests, config, isForced, space, usable } = request
  const result = await writeSummary({ ...request, ...chosen }, ports)
  const isNeeded = result.type === 'failed' || (result.type === 'given-up' && isForced)
  if (!isNeeded || requests === undefined || !config.smart_recovery.drop_middle) return result
  const { scale } = chosen.estimator
  const tokens = Math.min(space, SUMMARY_SHARE * usable) - estimateTextTokens(ENDS, 'any', scale)
  const ends = await withoutMiddle(chosen.goes.transcript, charactersFor(Math.max(1, tokens)) / scale)
  return { type: 'summary', summary: { text: `${ENDS}\n\n${ends}`, tokens: 0 } }
}

const ENDS = 'No summary could be written. The beginning and the end of the conversation, word for word:'
const CUT = '[The middle of the summary is left out here.]'

/** A summary that takes the space there is, and less than what it replaces. */
export function cutSummary(
  text: string,
  { space, gone }: { space: number; gone: number },
  { providerId, scale }: Estimator,
): string {
  const tokens = estimateTextTokens(text, providerId, scale)
  const most = tokens < gone ? space : Math.min(space, Math.floor(gone / 2))
  if (tokens <= most) return text
  const free = Math.max(1, most - estimateTextTokens(CUT, providerId, scale))
  return middleCut(text, charactersFor(free) / scale, CUT)
}
