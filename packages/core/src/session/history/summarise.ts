import type { ChatMessage } from '../../domain/message.ts'
import type { CompactionConfig } from '../../history/compaction/compaction-config.ts'
import { charactersFor, shortTranscript, toPieces, withoutMiddle } from '../../history/compaction/pieces.ts'
import {
  joinRequest,
  SUMMARY_OUTPUT_TOKENS,
  summaryRequest,
} from '../../history/compaction/summary-prompt.ts'
import { toTranscript } from '../../history/compaction/transcript.ts'
import type { ProviderErrorKind } from '../../model/provider-error.ts'
import { callSummariser, type SummariserDeps, type Summary, type SummaryAnswer } from './call-summariser.ts'

/** `given-up`: the summariser could not be reached, and the conversation goes on as it is. */
export type Summarised =
  | { type: 'summary'; summary: Summary; rung: Rung }
  | { type: 'given-up'; message: string }
  | { type: 'failed'; message: string }

export type Rung = 'whole' | 'pruned' | 'chunked' | 'dropped-middle'

/** Tokens of the request that are not transcript: instructions, markers, headings. */
const OVERHEAD_TOKENS = 600
/** What a summariser of unknown size is taken to hold once a request was too large for it. */
const UNKNOWN_LIMIT = 8_192

/**
 * The summary of a conversation's beginning, by the first rung of the ladder that holds: whole, with tool outputs cut
 * short, in pieces that are joined, without its middle. Each rung but the first can be switched off.
 */
export async function summarise(
  messages: readonly ChatMessage[],
  config: CompactionConfig,
  deps: SummariserDeps,
): Promise<Summarised> {
  const { prune_tool_outputs, chunked_summarize, drop_middle } = config.smart_recovery
  const room = charactersFor(inputTokens(deps))
  const rungs: [Rung, boolean, () => Promise<SummaryAnswer>][] = [
    ['whole', true, () => askWithin(toTranscript(messages, null), deps)],
    ['pruned', prune_tool_outputs, () => askWithin(shortTranscript(messages), deps)],
    ['chunked', chunked_summarize, () => inPieces(toPieces(messages, room), deps)],
    [
      'dropped-middle',
      drop_middle,
      () => callSummariser(summaryRequest(withoutMiddle(messages, room)), deps),
    ],
  ]
  let last = 'The conversation is too long to be summarised.'
  for (const [rung, on, climb] of rungs) {
    if (!on) continue
    const answer = await climb()
    if (answer.type === 'summary') return { ...answer, rung }
    last = answer.failure.message
    if (isOutage(answer.failure.kind)) return { type: 'given-up', message: last }
    if (answer.failure.kind !== 'context-overflow') break
  }
  return { type: 'failed', message: last }
}

function isOutage(kind: ProviderErrorKind): boolean {
  return kind === 'transient' || kind === 'rate-limit'
}

/** Asks unless it is clear beforehand that the transcript does not fit. */
async function askWithin(transcript: string, deps: SummariserDeps): Promise<SummaryAnswer> {
  const limit = deps.open.info.contextLimit
  if (limit !== null && transcript.length / 3 > limit) return tooLarge()
  return await callSummariser(summaryRequest(transcript), deps)
}

/** One summary for each piece, and one of them all. */
async function inPieces(pieces: readonly string[], deps: SummariserDeps): Promise<SummaryAnswer> {
  const summaries: Summary[] = []
  for (const piece of pieces) {
    const answer = await callSummariser(summaryRequest(piece), deps)
    if (answer.type === 'failed') return answer
    summaries.push(answer.summary)
  }
  const spent = summaries.reduce((sum, { tokens }) => sum + tokens, 0)
  const joined = await callSummariser(joinRequest(summaries.map(({ text }) => text)), deps)
  if (joined.type === 'failed') return joined
  return { type: 'summary', summary: { text: joined.summary.text, tokens: spent + joined.summary.tokens } }
}

function inputTokens({ open }: SummariserDeps): number {
  const limit = open.info.contextLimit ?? UNKNOWN_LIMIT
  const output = Math.min(SUMMARY_OUTPUT_TOKENS, open.info.maxOutput ?? SUMMARY_OUTPUT_TOKENS)
  return Math.max(200, limit - output - OVERHEAD_TOKENS)
}

function tooLarge(): SummaryAnswer {
  return {
    type: 'failed',
    failure: { kind: 'context-overflow', message: 'The conversation is too long to be summarised.' },
  }
}
