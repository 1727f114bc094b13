import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { Clock, OpenModel } from '@palimpsest/core/ports'
import { readConversation } from './demo-conversation.ts'
import { brokenError, overflowError, rateLimitError } from './demo-errors.ts'
import { DEMO_MODELS, DEMO_PROVIDER_ID, type DemoModelInfo } from './demo-models.ts'
import { demoParts, type TimedPart } from './demo-parts.ts'
import { type DemoPlan, planDemo } from './demo-plan.ts'
import { demoStream } from './demo-stream.ts'
import { CHARACTERS_PER_TOKEN, promptTokens } from './demo-usage.ts'

/** Conversations for which the model counts how often it has refused them. */
const MAX_REMEMBERED = 200

/** The demo models, ready to be called; the first is the one to start with. */
export function openDemoModels(clock: Clock): OpenModel[] {
  return DEMO_MODELS.map((info) => ({ model: createDemoModel(info, clock), info, providerOptions: {} }))
}

/**
 * The built-in model that needs no key and no network. What it does follows from the prompt alone, except that a
 * prompt which asks for a rate limit is refused twice and then answered.
 */
export function createDemoModel(info: DemoModelInfo, clock: Clock): LanguageModelV4 {
  const refusals = new Map<string, number>()
  let calls = 0

  /** The answer to give, or throws the error that replaces it. */
  function decide(options: LanguageModelV4CallOptions): DemoPlan & { type: 'answer' } {
    options.abortSignal?.throwIfAborted()
    const { total } = promptTokens(options)
    if (total > info.contextLimit) throw overflowError(total, info.contextLimit)
    const plan = planDemo(options)
    if (plan.type === 'broken') throw brokenError()
    if (plan.type === 'answer') return plan
    refuse(refusals, options.prompt)
    return plan.answer
  }

  function answer(options: LanguageModelV4CallOptions) {
    const plan = decide(options)
    calls += 1
    const tokens = Math.min(options.maxOutputTokens ?? info.maxOutput, info.maxOutput)
    // Ids have to differ from those of an earlier life of the server, which the prompt may still hold.
    const id = `demo_${clock.now().toString(36)}_${calls}`
    return demoParts(plan, { input: options, maxCharacters: tokens * CHARACTERS_PER_TOKEN, id })
  }

  return {
    specificationVersion: 'v4',
    provider: DEMO_PROVIDER_ID,
    modelId: info.modelId,
    supportedUrls: {},
    doGenerate: (options) => promiseOf(() => gather(answer(options))),
    doStream: (options) =>
      promiseOf(() => ({ stream: demoStream(answer(options), clock, options.abortSignal) })),
  }
}

function refuse(refusals: Map<string, number>, prompt: LanguageModelV4Prompt): void {
  const key = `${prompt.length}:${readConversation(prompt).said}`
  const attempt = refusals.get(key) ?? 0
  refusals.delete(key)
  const error = rateLimitError(attempt)
  if (error === null) return
  refusals.set(key, attempt + 1)
  const [oldest] = refusals.keys()
  if (refusals.size > MAX_REMEMBERED && oldest !== undefined) refusals.delete(oldest)
  throw error
}

/** The whole answer at once, for callers that do not stream. */
function gather(parts: Iterable<TimedPart>): LanguageModelV4GenerateResult {
  const content: LanguageModelV4Content[] = []
  for (const { part } of parts) {
    if (part.type === 'finish')
      return { content, finishReason: part.finishReason, usage: part.usage, warnings: [] }
    addContent(content, part)
  }
  throw new Error('A demo answer always finishes')
}

function addContent(content: LanguageModelV4Content[], part: LanguageModelV4StreamPart): void {
  const last = content.at(-1)
  if (part.type === 'reasoning-start') content.push({ type: 'reasoning', text: '' })
  if (part.type === 'text-start') content.push({ type: 'text', text: '' })
  if (part.type === 'tool-call') content.push(part)
  if (part.type === 'text-delta' && last?.type === 'text') last.text += part.delta
  if (part.type === 'reasoning-delta' && last?.type === 'reasoning') last.text += part.delta
}

function promiseOf<T>(make: () => T): Promise<T> {
  return Promise.resolve().then(make)
}
