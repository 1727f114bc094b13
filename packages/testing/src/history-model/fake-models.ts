import type {
  LanguageModelV4,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { ModelInfo, ModelRef } from '@palimpsest/core/domain'
import type { Models } from '@palimpsest/core/ports'

/** What the model does when it is asked next; `tool` calls for something of so many characters and then answers. */
export type Behaviour =
  | { type: 'answer'; text: string }
  | { type: 'tool'; characters: number; text: string }
  | { type: 'fail' }
  /** Streams half of its answer, and the rest once it is released. */
  | { type: 'hold'; until: Promise<void>; begun: () => void }

export type FakeModels = Models & {
  next: Behaviour
  /** Prompts of runs, in order; those of summaries are not among them. */
  readonly prompts: LanguageModelV4Prompt[]
  /** Outputs that it was asked to condense. */
  readonly condensed: number
}

const WINDOWS: Record<string, [limit: number | null, maxOutput: number]> = {
  roomy: [4_000_000, 8_000],
  narrow: [650, 150],
  unknown: [null, 200],
  cheap: [4_000_000, 8_000],
}

export const MODEL_IDS = ['roomy', 'narrow', 'unknown'] as const

export function fakeModel(modelId: string): ModelRef {
  return { providerId: 'fake', modelId }
}

/** Models without any network that count their tokens by the estimator's own constant, and answer at once. */
export function createFakeModels(): FakeModels {
  const prompts: LanguageModelV4Prompt[] = []
  let calls = 0
  let condensed = 0
  const models: FakeModels = {
    next: { type: 'answer', text: 'Yes.' },
    prompts,
    get condensed() {
      return condensed
    },
    list: () => Promise.resolve(MODEL_IDS.map(infoOf)),
    find: ({ modelId }) => Promise.resolve(modelId in WINDOWS ? infoOf(modelId) : null),
    open: ({ modelId }) =>
      Promise.resolve({ model: open(modelId), info: infoOf(modelId), providerOptions: {} }),
    defaultModel: () => Promise.resolve(fakeModel('roomy')),
    cheapSibling: () => Promise.resolve(fakeModel('cheap')),
  }

  function open(modelId: string): LanguageModelV4 {
    return {
      specificationVersion: 'v4',
      provider: 'fake',
      modelId,
      supportedUrls: {},
      doGenerate({ prompt }) {
        calls += 1
        if (JSON.stringify(prompt[0]).includes('You condense the output')) condensed += 1
        const text = `Summary ${calls}.`
        return Promise.resolve({
          content: [{ type: 'text', text }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: usageOf(prompt, text),
          warnings: [],
        })
      },
      doStream({ prompt, abortSignal }) {
        if (models.next.type === 'fail') return Promise.reject(new Error('The model is out of order'))
        prompts.push(prompt)
        calls += 1
        const parts = speak(models.next, prompt, `${calls}`, abortSignal)
        return Promise.resolve({ stream: streamOf(parts) })
      },
    }
  }
  return models
}

function streamOf<T>(parts: AsyncIterator<T>): ReadableStream<T> {
  return new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

async function* speak(
  behaviour: Exclude<Behaviour, { type: 'fail' }>,
  prompt: LanguageModelV4Prompt,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const calls = behaviour.type === 'tool' && prompt.at(-1)?.role !== 'tool'
  const input = calls ? JSON.stringify({ characters: behaviour.characters }) : ''
  const text = behaviour.type === 'hold' ? 'Half and half.' : calls ? 'I look.' : behaviour.text
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id }
  yield { type: 'text-delta', id, delta: text }
  if (behaviour.type === 'hold') {
    behaviour.begun()
    await Promise.race([behaviour.until, aborted(signal)])
    signal?.throwIfAborted()
  }
  yield { type: 'text-end', id }
  if (calls) yield { type: 'tool-call', toolCallId: `call_${id}`, toolName: 'look', input }
  const reason = calls ? 'tool-calls' : 'stop'
  const usage = usageOf(prompt, `${text}${input}`)
  yield { type: 'finish', usage, finishReason: { unified: reason, raw: reason } }
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Tokens by the estimator's constant for unknown families, and four for each message. */
export function tokensOf(prompt: LanguageModelV4Prompt): number {
  return Math.round(prompt.reduce((sum, message) => sum + 4 + contentLength(message) / 3.8, 0))
}

function contentLength(message: LanguageModelV4Prompt[number]): number {
  if (message.role === 'system') return message.content.length
  return message.content.reduce((sum, part) => {
    if (part.type === 'text') return sum + part.text.length
    if (part.type === 'tool-call') return sum + JSON.stringify(part.input).length
    if (part.type === 'tool-result') return sum + ('value' in part.output ? `${part.output.value}`.length : 0)
    return sum
  }, 0)
}

function usageOf(prompt: LanguageModelV4Prompt, written: string): LanguageModelV4Usage {
  const total = tokensOf(prompt)
  const output = Math.round(written.length / 3.8)
  return {
    inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  }
}

function infoOf(modelId: string): ModelInfo {
  const [contextLimit, maxOutput] = WINDOWS[modelId] ?? [null, 200]
  return {
    providerId: 'fake',
    providerLabel: 'Fake',
    modelId,
    label: modelId,
    contextLimit,
    maxOutput,
    prices: { input: null, output: null, cacheRead: null, cacheWrite: null },
    inputs: ['text'],
    tools: true,
    reasoning: false,
    variants: [],
    cheap: modelId === 'cheap',
    demo: false,
  }
}
