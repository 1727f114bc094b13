import { streamText } from 'ai'
import { expect, test } from 'vitest'
import { classifyProviderError } from '../../core/src/model/provider-error.ts'
import {
  loadSoundStreams,
  type ProviderStream,
  serveProviderStream,
  WRITTEN_STREAMS_FOLDER,
} from './provider-streams.ts'
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'
import { failure, type ReplyStep, type ScriptedReply } from './scripted-provider-reply.ts'

/** One sound stream of each format. */
const sound = loadSoundStreams(WRITTEN_STREAMS_FOLDER).filter(
  (stream, index, all) => all.findIndex(({ folder }) => folder === stream.folder) === index,
)

/** What a run sees of one call: how the step ended, and the errors in it. */
async function outcomeOf(stream: ProviderStream, provider: ScriptedProvider) {
  const model = serveProviderStream(provider, stream)
  const reasons: string[] = []
  const errors: unknown[] = []
  const result = streamText({
    model,
    prompt: 'hi',
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error),
    onStepEnd: ({ finishReason }) => void reasons.push(finishReason),
  })
  await result.consumeStream({ onError: () => undefined })
  return { reasons, kinds: errors.map((error) => classifyProviderError(error, 0).kind) }
}

/** Changes what is on the wire, whatever the format. */
function tampering(
  provider: ScriptedProvider,
  change: (steps: ReplyStep[]) => ReplyStep[],
): ScriptedProvider {
  const script = (...replies: Parameters<ScriptedProvider['script']>): void => {
    const changed = replies.map((reply): ScriptedReply => {
      if (typeof reply === 'function') throw new Error('Only recordings are tampered with')
      return { ...reply, steps: change([...reply.steps]) }
    })
    provider.script(...changed)
  }
  return Object.assign(Object.create(provider), { script })
}

const half = <T>(list: T[]): T[] => list.slice(0, Math.max(1, Math.floor(list.length / 2)))

test.for(sound)(
  'RL-3 a connection of $folder that is cut in mid-chunk is worth another try',
  async (stream) => {
    await using provider = await startScriptedProvider()
    const broken = tampering(provider, (steps) => [...half(steps), { send: 'data: {"half' }, { cut: true }])
    expect((await outcomeOf(stream, broken)).kinds).toContain('transient')
  },
)

test.for(sound)('RL-3 garbage in a stream of $folder is worth another try', async (stream) => {
  await using provider = await startScriptedProvider()
  const garbled = tampering(provider, (steps) => [...half(steps), { send: 'data: <html>502</html>\n\n' }])
  expect((await outcomeOf(stream, garbled)).kinds).toContain('transient')
})

test.for(sound)(
  'RL-3 a stream of $folder that just ends is never taken for a finished one',
  async (stream) => {
    await using provider = await startScriptedProvider()
    const short = tampering(provider, half)
    const { reasons, kinds } = await outcomeOf(stream, short)
    expect([...reasons, ...kinds].some((word) => ['interrupted', 'error', 'transient'].includes(word))).toBe(
      true,
    )
    expect(reasons).not.toContain('stop')
  },
)

test.for(sound)(
  'RL-3 an empty answer of $folder is worth another try, or is seen as interrupted',
  async (stream) => {
    await using provider = await startScriptedProvider()
    const { reasons, kinds } = await outcomeOf(
      stream,
      tampering(provider, () => []),
    )
    expect([...reasons, ...kinds].some((word) => ['interrupted', 'error', 'transient'].includes(word))).toBe(
      true,
    )
  },
)

test.for(sound)(
  'ST-4 a refusal of $folder keeps its retry-after through the real package',
  async (stream) => {
    await using provider = await startScriptedProvider()
    provider.script(
      failure(429, 'Slow down', { 'retry-after': '7' }),
      failure(503, 'Busy', { 'retry-after-ms': '70' }),
    )
    const model = serveProviderStream(provider, stream)
    const call = async (): Promise<unknown> => {
      try {
        return await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] })
      } catch (error) {
        return classifyProviderError(error, 0)
      }
    }
    expect(await call()).toMatchObject({ kind: 'rate-limit', retryAfterMs: 7_000 })
    expect(await call()).toMatchObject({ kind: 'transient', retryAfterMs: 70 })
  },
)

test.for(sound)('AB-2 an abort closes the connection to $folder', async (stream) => {
  await using provider = await startScriptedProvider()
  const stalling = tampering(provider, (steps) => [...half(steps), { stall: true }])
  const abort = new AbortController()
  const model = serveProviderStream(stalling, stream)
  const { stream: parts } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    abortSignal: abort.signal,
  })
  const reader = parts.getReader()
  await reader.read()
  abort.abort()
  expect((await provider.closed(0)).by).toBe('client')
  await reader.cancel().catch(() => undefined)
})
