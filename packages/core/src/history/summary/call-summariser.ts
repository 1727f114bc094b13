import { generateText } from 'ai'
import { type ModelRef, sameModel } from '../../domain/model/model.ts'
import { type TokenCounts, totalTokens } from '../../domain/model/usage.ts'
import { backoff } from '../../model/backoff.ts'
import { classifyProviderError, isRetryable, type ProviderError } from '../../model/provider-error.ts'
import { countTokens } from '../../model/usage.ts'
import type { Clock, Models, OpenModel } from '../../ports/index.ts'
import type { Summary } from '../plan/plan-compaction.ts'
import { SUMMARY_TEMPERATURE } from './summary-prompt.ts'

/** Milliseconds that one summary may take. */
const TIMEOUT_MS = 60_000

export type SummaryAnswer = { type: 'summary'; summary: Summary } | { type: 'failed'; failure: ProviderError }

/** Requests that are left to make; each one takes from it. */
export type Requests = { left: number }

/** Takes a request that was made for nothing from those of a turn. */
export function payFor(requests: Requests | undefined): void {
  if (requests !== undefined) requests.left = Math.max(0, requests.left - 1)
}

export type SummariserDeps = {
  open: OpenModel
  instructions: string
  /** Tokens that a summary may take. */
  maxOutput: number
  clock: Clock
  random(): number
  /** Times that a transient failure is tried again. */
  retries: number
  /** Requests that may be made, not counting those after a transient failure; without it there is no limit. */
  requests?: Requests
  /** Takes what the request has cost from a budget. */
  charge(counts: TokenCounts): Promise<void>
  signal: AbortSignal
}

const NO_REQUEST_LEFT: ProviderError = {
  kind: 'context-overflow',
  message: 'The conversation cannot be summarised with the requests that one turn may make.',
}

/** One request to the summariser, tried again while its failure is transient. Throws only when `signal` aborts. */
export async function callSummariser(prompt: string, deps: SummariserDeps): Promise<SummaryAnswer> {
  const { clock, signal, requests } = deps
  if (requests !== undefined) {
    if (requests.left <= 0) return { type: 'failed', failure: NO_REQUEST_LEFT }
    requests.left -= 1
  }
  for (let attempt = 1; ; attempt++) {
    const answer = await ask(prompt, deps)
    signal.throwIfAborted()
    if (answer.type === 'summary') return answer
    const { kind, retryAfterMs } = answer.failure
    if (!isRetryable(kind) || attempt > deps.retries) return answer
    await clock.sleep(backoff(attempt, deps.random(), retryAfterMs), signal)
  }
}

async function ask(
  prompt: string,
  { open, instructions, maxOutput, clock, signal, charge }: SummariserDeps,
): Promise<SummaryAnswer> {
  const failed = (error: unknown): SummaryAnswer => ({
    type: 'failed',
    failure: classifyProviderError(error, clock.now(), open.redact),
  })
  const timeout = new AbortController()
  using _timer = clock.after(TIMEOUT_MS, () =>
    timeout.abort(new DOMException('The summary timed out', 'TimeoutError')),
  )
  try {
    const { text, usage } = await generateText({
      model: open.model,
      providerOptions: open.providerOptions,
      instructions,
      prompt,
      temperature: SUMMARY_TEMPERATURE,
      maxOutputTokens: Math.min(maxOutput, open.info.maxOutput ?? maxOutput),
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, timeout.signal]),
    })
    const counts = countTokens(usage)
    await charge(counts)
    if (text.trim() === '') return failed(new Error('The summariser answered nothing'))
    return { type: 'summary', summary: { text: text.trim(), tokens: totalTokens(counts) } }
  } catch (error) {
    return failed(timeout.signal.aborted ? timeout.signal.reason : error)
  }
}

/** What the cheapest model beside `ref` answers; `ref` itself is asked where that one turns out to be unusable. */
export async function askCheapest<T>(
  ref: ModelRef,
  models: Models,
  ask: (model: ModelRef) => Promise<T>,
  isUnusable: (answer: T) => boolean,
): Promise<T> {
  const { variant: _, ...own } = ref
  const cheap = await models.cheapSibling(own)
  const answer = await ask(cheap)
  return isUnusable(answer) && !sameModel(cheap, own) ? await ask(own) : answer
}
