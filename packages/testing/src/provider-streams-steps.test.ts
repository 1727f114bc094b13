import type { ChatChunk } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { classifyProviderError } from '../../core/src/model/provider-error.ts'
import { modelStep } from '../../core/src/run/call/model-step.ts'
import { createFakeClock } from './fake-clock.ts'
import { LAB_MODEL } from './lab-models.ts'
import {
  loadSoundStreams,
  type ProviderStream,
  serveProviderStream,
  WRITTEN_STREAMS_FOLDER,
} from './provider-streams.ts'
import { startScriptedProvider } from './scripted-provider.ts'

const streams = loadSoundStreams(WRITTEN_STREAMS_FOLDER)

/** Events with which a provider ends its answer properly. */
const ENDING = /"finish_?[rR]eason":"|"message_(delta|stop)"|"response\.(completed|incomplete)"/

async function stepOf(stream: ProviderStream) {
  await using provider = await startScriptedProvider()
  const chunks: ChatChunk[] = []
  const model = serveProviderStream(provider, stream)
  const info = {
    ...LAB_MODEL,
    providerLabel: '',
    label: '',
    contextLimit: null,
    maxOutput: null,
    prices: UNKNOWN,
    ...NOTHING,
  }
  const result = await modelStep(
    {
      open: { model, info, providerOptions: {} },
      instructions: 'You help.',
      messages: [{ role: 'user', content: 'hi' }],
      tools: [],
      unlisted: [],
      canSimplify: false,
      maxOutputTokens: null,
    },
    {
      clock: createFakeClock(),
      stallMs: 60_000,
      signal: new AbortController().signal,
      onChunk: (chunk) => chunks.push(chunk),
    },
  )
  return { result, chunks }
}

const UNKNOWN = { input: null, output: null, cacheRead: null, cacheWrite: null }
const NOTHING = {
  inputs: ['text' as const],
  tools: false,
  reasoning: false,
  variants: [],
  cheap: false,
  demo: false,
}

test.for(streams)(
  'RL-3 $folder/$name without its end fails the step, and another try is worth it',
  async (stream) => {
    const lines = stream.lines.filter((line) => !ENDING.test(line))
    const { result } = await stepOf({ ...stream, lines })
    expect(result.type).toBe('failed')
    if (result.type === 'failed') expect(classifyProviderError(result.error, 0).kind).toBe('transient')
  },
)

test.for(streams)('RL-5 $folder/$name with its end completes the step', async (stream) => {
  const { result, chunks } = await stepOf(stream)
  expect(result.type).toBe('completed')
  expect(chunks.length).toBeGreaterThan(0)
})
