import {
  loadProviderStreams,
  type ProviderStream,
  RECORDED_STREAMS_FOLDER,
  serveProviderStream,
  WRITTEN_STREAMS_FOLDER,
} from '@palimpsest/testing/provider-streams.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import { openModelLab } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'
import { isToolPart } from '../domain/message/message.ts'

const recorded = loadProviderStreams(RECORDED_STREAMS_FOLDER)
const streams = [...loadProviderStreams(WRITTEN_STREAMS_FOLDER), ...recorded]

if (recorded.length === 0)
  test.skip(`RU-2 recorded streams: skipped, there are none in ${RECORDED_STREAMS_FOLDER}`)

const openStreamLab = (stream: ProviderStream) =>
  openModelLab((provider) => serveProviderStream(provider, stream))

test.for(streams)(
  'RU-2 RL-5 $folder/$name is stored as the AI SDK reduces what was streamed',
  async (stream) => {
    await using lab = await openStreamLab(stream)
    const { id: sessionId } = await lab.sessions.create({ title: 'Recorded' })
    const { chunks, messages } = await lab.turn('Hi', sessionId)
    expect(messages).toHaveLength(2)
    expect(messages[1]).toEqual(await reduceBySdk(chunks))
  },
)

test.for(streams)(
  'RU-8 the signature of $folder/$name reaches the next call byte for byte',
  async (stream) => {
    await using lab = await openStreamLab(stream)
    const { id: sessionId } = await lab.sessions.create({ title: 'Recorded' })
    const { messages } = await lab.turn('Hi', sessionId)
    const parts = messages[1]?.parts ?? []
    const followed = parts.findLastIndex(({ type }) => type !== 'reasoning') + 1
    const signatures = parts.slice(0, followed).flatMap((part) => {
      const metadata = isToolPart(part)
        ? part.callProviderMetadata
        : 'providerMetadata' in part && part.providerMetadata
      return signaturesIn(metadata)
    })
    lab.provider.otherwise(() => ({ status: 400, headers: {}, steps: [{ send: '{}' }] }))
    await lab.turn('And then?', sessionId)
    const sent = JSON.stringify(lab.provider.requests.at(-1)?.body)
    expect(lab.provider.requests).toHaveLength(2)
    for (const signature of signatures) expect(sent).toContain(JSON.stringify(signature))
  },
)

const SIGNATURE = /signature|encrypted|redactedData/i

/** Every string that a provider requires back unchanged. */
function signaturesIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return SIGNATURE.test(name) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => signaturesIn(inner, key))
}
