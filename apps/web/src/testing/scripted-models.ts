import type { ModelInfo } from '@palimpsest/core/domain'
import type { Models } from '@palimpsest/core/ports'
import { modelInfo } from './model-info.ts'

type Model = Awaited<ReturnType<Models['open']>>['model']
type Call = Parameters<Model['doStream']>[0]
type Chunk = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer T> ? T : never

/** A reply that the test writes piece by piece. */
export type Speaker = {
  readonly modelId: string
  say(text: string): void
  /** Ends the reply with a call of a tool. */
  call(toolName: string, input: object): void
  finish(): void
  fail(message: string): void
}

export type ScriptedModels = Models & {
  /** From now on every reply is this text at once; null leaves replies to `speaker`. */
  answer(text: string | null): void
  /** Why titles and summaries fail from now on; null lets them be written again. */
  breakSummaries(reason: string | null): void
  /** Keeps titles and summaries back; the answer lets them go. */
  holdSummaries(): () => void
  /** The next reply that is asked for, or that waits already. */
  speaker(): Promise<Speaker>
}

/** What a call takes: a token for every four characters of its prompt and its tool definitions. */
function usageOf({ prompt, tools = [] }: Call) {
  const input = Math.ceil((JSON.stringify(prompt).length + JSON.stringify(tools).length) / 4)
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 20, text: 20, reasoning: undefined },
  }
}

const SMALL = { contextLimit: 32_768, maxOutput: 1_024 }

/** Models of a provider `lab` whose replies the test scripts. Titles and summaries are written by themselves. */
export function createScriptedModels(catalogue: readonly ModelInfo[] = []): ScriptedModels {
  const known = [{ ...modelInfo('m1'), ...SMALL }, { ...modelInfo('m2'), ...SMALL }, ...catalogue]
  let text: string | null = 'A reply.'
  let calls = 0
  let broken: string | null = null
  let held: Promise<void> = Promise.resolve()
  const speakers: Speaker[] = []
  const waiting: ((speaker: Speaker) => void)[] = []

  const find = (modelId: string) => known.find((info) => info.modelId === modelId) ?? null

  function speak(modelId: string, call: Call): ReadableStream<Chunk> {
    const { abortSignal } = call
    return new ReadableStream<Chunk>({
      start(controller) {
        let over = false
        const end = (last: () => void) => {
          if (!over) last()
          over = true
        }
        abortSignal?.addEventListener('abort', () => end(() => controller.error(abortSignal.reason)))
        controller.enqueue({ type: 'stream-start', warnings: [] })
        controller.enqueue({ type: 'text-start', id: 't' })
        const speaker: Speaker = {
          modelId,
          say: (delta) => {
            if (!over) controller.enqueue({ type: 'text-delta', id: 't', delta })
          },
          finish: () =>
            end(() => {
              controller.enqueue({ type: 'text-end', id: 't' })
              const finishReason = { unified: 'stop', raw: undefined } as const
              controller.enqueue({ type: 'finish', finishReason, usage: usageOf(call) })
              controller.close()
            }),
          call: (toolName, input) =>
            end(() => {
              controller.enqueue({ type: 'text-end', id: 't' })
              const toolCallId = `call_${calls++}`
              controller.enqueue({ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) })
              const finishReason = { unified: 'tool-calls', raw: undefined } as const
              controller.enqueue({ type: 'finish', finishReason, usage: usageOf(call) })
              controller.close()
            }),
          fail: (message) => end(() => controller.error(new Error(message))),
        }
        hand(speaker)
      },
    })
  }

  function hand(speaker: Speaker): void {
    const next = waiting.shift()
    if (next !== undefined) next(speaker)
    else if (text === null) speakers.push(speaker)
    else {
      speaker.say(text)
      speaker.finish()
    }
  }

  const open = (info: ModelInfo): Model => ({
    specificationVersion: 'v4',
    provider: 'lab',
    modelId: info.modelId,
    supportedUrls: {},
    doStream: (call) => Promise.resolve({ stream: speak(info.modelId, call) }),
    doGenerate: async (call) => {
      await held
      if (broken !== null) throw new Error(broken)
      return {
        content: [{ type: 'text', text: 'A title' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: usageOf(call),
        warnings: [],
      }
    },
  })

  return {
    answer: (words) => {
      text = words
    },
    breakSummaries: (reason) => {
      broken = reason
    },
    holdSummaries() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    speaker: () => {
      const present = speakers.shift()
      return present === undefined
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(present)
    },
    list: () => Promise.resolve([...known]),
    find: ({ modelId }) => Promise.resolve(find(modelId)),
    open({ modelId }) {
      const info = find(modelId)
      if (info === null) return Promise.reject(new Error(`There is no model ${modelId}.`))
      return Promise.resolve({ model: open(info), info, providerOptions: {} })
    },
    defaultModel: () => Promise.resolve({ providerId: 'lab', modelId: 'm1' }),
    cheapSibling: (ref) => Promise.resolve(ref),
  }
}
