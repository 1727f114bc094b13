import type { ProviderError, ProviderErrorKind } from '../../model/provider-error.ts'
import type { CompactionConfig } from '../plan/compaction-config.ts'
import type { Summary } from '../plan/plan-compaction.ts'
import type { OutputCut, Transcript } from '../read/summarised-messages.ts'
import { callSummariser, type SummariserDeps, type SummaryAnswer } from './call-summariser.ts'
import { charactersFor, groupBySize, SHORT_OUTPUT, toPieces, wholeWithin } from './pieces.ts'
import { shortened } from './shorten.ts'
import { joinRequest, summaryRequest } from './summary-prompt.ts'

export type Summarised =
  | { type: 'summary'; summary: Summary }
  /** The summariser could not be reached; the conversation continues unchanged. */
  | { type: 'given-up'; message: string }
  /** `unusable`: this model refuses every request, so another model is tried. */
  | { type: 'failed'; message: string; unusable: boolean }

/** Tokens of the request that are not transcript: instructions, markers, headings. */
const OVERHEAD_TOKENS = 600
/** What a summariser of unknown size is taken to hold once a request was too large for it. */
const UNKNOWN_LIMIT = 8_192
const LEAST_INPUT = 200
/** Characters for each token of the limit above which a transcript is not sent: it cannot fit. */
const CLEARLY_TOO_LONG = 4
/** How much of what should fit is tried when long texts are cut: scripts differ in how many characters make a token. */
const CUTS = [1, 0.25]
const CUT_IN_TURN = 0.5

const TOO_LONG: ProviderError = {
  kind: 'context-overflow',
  message: 'The conversation is too long to be summarised.',
}

/**
 * The summary of a conversation's beginning, by the first rung of the ladder that holds: whole, with tool outputs cut
 * short, in pieces that are joined, with its long texts cut. Each rung but the first can be switched off.
 */
export async function summarise(
  transcript: Transcript,
  config: CompactionConfig,
  deps: SummariserDeps,
): Promise<Summarised> {
  const { prune_tool_outputs, chunked_summarize, drop_middle } = config.smart_recovery
  const capacity = charactersFor(inputTokens(deps))
  if (deps.requests !== undefined) return await summariseInTurn(transcript, capacity, config, deps)
  const rungs = [
    () => askWhole(transcript, null, deps),
    ...(prune_tool_outputs ? [() => askWhole(transcript, SHORT_OUTPUT, deps)] : []),
    ...(chunked_summarize ? [() => inPieces(toPieces(transcript, capacity), capacity, deps)] : []),
    ...(drop_middle
      ? CUTS.map((cut) => async () => ask(await shortened(transcript, cut * capacity), deps))
      : []),
  ]
  return await climb(rungs)
}

/** The same inside a turn, which may make few requests: what is counted to fit, then less of it. */
async function summariseInTurn(
  transcript: Transcript,
  capacity: number,
  { smart_recovery: { prune_tool_outputs, drop_middle } }: CompactionConfig,
  deps: SummariserDeps,
): Promise<Summarised> {
  return await climb([
    async () => {
      const most = mostCharacters(deps)
      const whole =
        (await wholeWithin(transcript, null, most)) ??
        (prune_tool_outputs ? await wholeWithin(transcript, SHORT_OUTPUT, most) : null) ??
        (drop_middle ? await shortened(transcript, capacity) : null)
      return whole === null ? { type: 'failed', failure: TOO_LONG } : await ask(whole, deps)
    },
    ...(drop_middle ? [async () => ask(await shortened(transcript, CUT_IN_TURN * capacity), deps)] : []),
  ])
}

type Rung = () => Promise<SummaryAnswer>

/** The first answer that is a summary; a failure that less input does not cure ends the attempts. */
async function climb(rungs: readonly Rung[]): Promise<Summarised> {
  let failure = TOO_LONG
  for (const rung of rungs) {
    const answer = await rung()
    if (answer.type === 'summary') return answer
    failure = answer.failure
    if (isOutage(failure.kind)) return { type: 'given-up', message: failure.message }
    if (failure.kind !== 'context-overflow') break
  }
  return { type: 'failed', message: failure.message, unusable: failure.kind !== 'context-overflow' }
}

function isOutage(kind: ProviderErrorKind): boolean {
  return kind === 'transient' || kind === 'rate-limit'
}

function ask(transcript: string, deps: SummariserDeps): Promise<SummaryAnswer> {
  return callSummariser(summaryRequest(transcript), deps)
}

/** Asks unless it is clear beforehand that the transcript does not fit. */
async function askWhole(
  transcript: Transcript,
  cut: OutputCut,
  deps: SummariserDeps,
): Promise<SummaryAnswer> {
  const whole = await wholeWithin(transcript, cut, mostCharacters(deps))
  return whole === null ? { type: 'failed', failure: TOO_LONG } : await ask(whole, deps)
}

/** Characters above which a transcript surely does not fit. */
function mostCharacters(deps: SummariserDeps): number {
  const known = deps.open.info.contextLimit !== null
  return known ? CLEARLY_TOO_LONG * inputTokens(deps) : Number.POSITIVE_INFINITY
}

/** One summary for each piece, and one of them all. */
async function inPieces(
  pieces: AsyncIterable<string>,
  capacity: number,
  deps: SummariserDeps,
): Promise<SummaryAnswer> {
  const summaries: Summary[] = []
  for await (const piece of pieces) {
    const answer = await ask(piece, deps)
    if (answer.type === 'failed') return answer
    summaries.push(answer.summary)
  }
  return await join(summaries, capacity, deps)
}

/** Joins as many summaries at once as fit into `capacity` characters, until one is left. */
async function join(
  summaries: readonly Summary[],
  capacity: number,
  deps: SummariserDeps,
): Promise<SummaryAnswer> {
  const [only] = summaries
  if (only !== undefined && summaries.length === 1) return { type: 'summary', summary: only }
  const groups = groupBySize(summaries, capacity)
  if (groups.length === summaries.length) return { type: 'failed', failure: TOO_LONG }
  const joined: Summary[] = []
  for (const group of groups) {
    const answer =
      group.length === 1 && group[0] !== undefined
        ? { type: 'summary' as const, summary: group[0] }
        : await callSummariser(joinRequest(group.map(({ text }) => text)), deps)
    if (answer.type === 'failed') return answer
    const spent = group.length === 1 ? 0 : group.reduce((sum, { tokens }) => sum + tokens, 0)
    joined.push({ text: answer.summary.text, tokens: spent + answer.summary.tokens })
  }
  return await join(joined, capacity, deps)
}

/** Tokens that a request may hold beside its instructions. */
export function inputTokens({ open, maxOutput }: Pick<SummariserDeps, 'open' | 'maxOutput'>): number {
  const limit = open.info.contextLimit ?? UNKNOWN_LIMIT
  const output = Math.min(maxOutput, open.info.maxOutput ?? maxOutput)
  return Math.max(LEAST_INPUT, limit - output - OVERHEAD_TOKENS)
}
