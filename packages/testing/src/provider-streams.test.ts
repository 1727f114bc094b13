import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { totalTokens } from '@palimpsest/core/domain'
import { type LanguageModelUsage, streamText } from 'ai'
import { expect, test } from 'vitest'
import { classifyProviderError } from '../../core/src/model/provider-error.ts'
import { isUnknownEvent } from '../../core/src/model/unknown-event.ts'
import { countTokens } from '../../core/src/model/usage.ts'
import {
  loadProviderStreams,
  type ProviderStream,
  RECORDED_STREAMS_FOLDER,
  reportsError,
  serveProviderStream,
  WRITTEN_STREAMS_FOLDER,
} from './provider-streams.ts'
import { startScriptedProvider } from './scripted-provider.ts'

const written = loadProviderStreams(WRITTEN_STREAMS_FOLDER)
const recorded = loadProviderStreams(RECORDED_STREAMS_FOLDER)
const streams = [...written, ...recorded]

type Event = Record<string, unknown>

const isEvent = (value: unknown): value is Event => typeof value === 'object' && value !== null
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce((inner, key) => (isEvent(inner) ? inner[key] : undefined), value)

/** What the provider itself said of the tokens: its last word, on top of what its first event announced. */
function reportedTotal({ lines }: ProviderStream): number | null {
  const reports = lines
    .map((line): unknown => JSON.parse(line))
    .map(
      (event) =>
        at(event, 'usage') ??
        at(event, 'response', 'usage') ??
        at(event, 'message', 'usage') ??
        at(event, 'usageMetadata'),
    )
    .filter(isEvent)
  if (reports.length === 0) return null
  const usage: Event = Object.assign({}, ...reports)
  const number = (key: string): number => Number(usage[key] ?? 0)
  const total = number('total_tokens') || number('totalTokenCount')
  // Anthropic's own summaries are reported beside the answer, and paid for with it.
  const iterations = Array.isArray(usage['iterations']) ? usage['iterations'].filter(isEvent) : []
  const counted = iterations.length > 0 ? iterations : [usage]
  return total || counted.flatMap((each) => COUNTS.map((key) => Number(each[key] ?? 0))).reduce(sum, 0)
}

const COUNTS = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
  'prompt_tokens',
  'completion_tokens',
  'promptTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
]

const sum = (one: number, other: number) => one + other

/** The word with which the provider ended its answer, in whatever field its format has for that. */
function reportedReason({ lines }: ProviderStream): string | null {
  const events = lines.map((line): unknown => JSON.parse(line))
  const reasons = events.flatMap((event) => [
    at(event, 'delta', 'stop_reason'),
    at(event, 'choices', '0', 'finish_reason'),
    at(event, 'candidates', '0', 'finishReason'),
    at(event, 'response', 'incomplete_details', 'reason'),
  ])
  return reasons.filter((reason) => typeof reason === 'string').at(-1) ?? null
}

/** Everything that the real package made of the stream; a refusal before the first part is an error part too. */
async function replay(stream: ProviderStream): Promise<LanguageModelV4StreamPart[]> {
  await using provider = await startScriptedProvider()
  const model = serveProviderStream(provider, stream)
  try {
    const answer = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    })
    return await Array.fromAsync(answer.stream)
  } catch (error) {
    return [{ type: 'error', error }]
  }
}

/** The usage of a stream as the step's end reports it. */
async function usageOf(stream: ProviderStream): Promise<LanguageModelUsage | null> {
  await using provider = await startScriptedProvider()
  const seen: LanguageModelUsage[] = []
  const result = streamText({
    model: serveProviderStream(provider, stream),
    prompt: 'hi',
    maxRetries: 0,
    onError: () => undefined,
    onStepEnd: ({ usage }) => void seen.push(usage),
  })
  await result.consumeStream({ onError: () => undefined })
  return seen.at(-1) ?? null
}

const finishOf = (parts: LanguageModelV4StreamPart[]) => parts.find((part) => part.type === 'finish')
const errorsOf = (parts: LanguageModelV4StreamPart[]) =>
  parts.flatMap((part) => (part.type === 'error' && !isUnknownEvent(part.error) ? [part.error] : []))

if (recorded.length === 0)
  test.skip(`RL-5 recorded streams: skipped, there are none in ${RECORDED_STREAMS_FOLDER}`)

test.for(streams.filter((stream) => reportedTotal(stream) !== null && !reportsError(stream)))(
  'US-2 the counts of $folder/$name add up to what the provider counted',
  async (stream) => {
    const usage = await usageOf(stream)
    const counts = usage && countTokens(usage)
    expect(counts).not.toHaveProperty('unknown')
    expect(counts && totalTokens(counts)).toBe(reportedTotal(stream))
  },
)

test.for(streams.filter((stream) => reportedTotal(stream) === null && !reportsError(stream)))(
  'US-2 $folder/$name reports no usage and its counts are marked unknown',
  async (stream) => {
    const usage = await usageOf(stream)
    expect(usage && countTokens(usage)).toMatchObject({ input: 0, output: 0, unknown: true })
  },
)

test.for(streams.filter((stream) => !reportsError(stream)))(
  'RL-5 $folder/$name ends with the reason that the provider gave, and without an error',
  async (stream) => {
    const parts = await replay(stream)
    expect(errorsOf(parts)).toEqual([])
    const reason = reportedReason(stream)
    const finish = finishOf(parts)?.finishReason
    if (reason !== null) expect(finish?.raw).toBe(reason)
    // The package of OpenAI treats an answer with an unknown item as failed.
    else if (!parts.some(({ type }) => type === 'error'))
      expect(['stop', 'tool-calls', 'content-filter']).toContain(finish?.unified)
  },
)

test.for(streams.filter(reportsError))(
  'RL-5 $folder/$name ends in an error that has a kind and a sentence',
  async (stream) => {
    const parts = await replay(stream)
    const [error = new Error('The provider reported a failure')] = errorsOf(parts)
    const { kind, message } = classifyProviderError(error, 0)
    expect(kind).not.toBe('aborted')
    expect(message).toMatch(/\w/)
    expect(finishOf(parts)?.finishReason.unified).not.toBe('stop')
  },
)

function writtenStream(path: string): ProviderStream {
  const found = written.find(({ folder, name }) => `${folder}/${name}` === path)
  if (!found) throw new Error(`There is no stream ${path}`)
  return found
}

test.for([
  [
    'anthropic-messages/signed-thinking-tool-call-cached-prompt',
    { input: 9, output: 70, reasoning: 50, cacheRead: 2048, cacheWrite: 700 },
  ],
  [
    'openai-responses/encrypted-reasoning-tool-call',
    { input: 244, output: 26, reasoning: 64, cacheRead: 256, cacheWrite: 0 },
  ],
  [
    'openai-chat/text-cached-prompt',
    { input: 276, output: 8, reasoning: 32, cacheRead: 1024, cacheWrite: 0 },
  ],
  [
    'openai-compatible-chat/reasoning-outside-output',
    { input: 4, output: 60, reasoning: 40, cacheRead: 16, cacheWrite: 0 },
  ],
  [
    'openai-compatible-chat/unnamed-reasoning',
    { input: 11, output: 2, reasoning: 200, cacheRead: 0, cacheWrite: 0 },
  ],
  [
    'openai-compatible-chat/cache-hit-tokens',
    { input: 72, output: 3, reasoning: 0, cacheRead: 128, cacheWrite: 0 },
  ],
  [
    'google-messages/thoughts-tool-call-cached-prompt',
    { input: 100, output: 20, reasoning: 75, cacheRead: 300, cacheWrite: 0 },
  ],
] as const)('US-2 %s is split into its five counts', async ([path, counts]) => {
  const usage = await usageOf(writtenStream(path))
  expect(usage && countTokens(usage)).toEqual(counts)
})

test.for([
  ['anthropic-messages/signed-thinking-tool-call-cached-prompt', 'EqQBCkgIARABGAIi/own+signature=='],
  ['anthropic-messages/redacted-thinking', 'b3BhcXVlIGJ5dGVz'],
  ['openai-responses/encrypted-reasoning-tool-call', 'gAAAA-opaque-signature=='],
  ['google-messages/thoughts-tool-call-cached-prompt', 'own/thought+signature=='],
] as const)('RU-8 the reasoning signature of %s arrives byte by byte', async ([path, signature]) => {
  const parts = await replay(writtenStream(path))
  const metadata = parts.flatMap((part) =>
    'providerMetadata' in part ? [JSON.stringify(part.providerMetadata)] : [],
  )
  expect(metadata.join('\n')).toContain(signature)
})

test.for([
  'anthropic-messages/overloaded-after-text',
  'anthropic-messages/overloaded-at-once',
  'openai-chat/error-after-text',
  'openai-responses/error-after-text',
  'openai-compatible-chat/error-after-text',
  'google-messages/error-after-text',
])('ST-4 the error inside %s is worth another try', async (path) => {
  const [error] = errorsOf(await replay(writtenStream(path)))
  expect(classifyProviderError(error, 0).kind).toBe('transient')
})
