import {
  loadProviderStreams,
  loadSoundStreams,
  modelIdOf,
  openProviderModel,
  type ProviderStream,
  RECORDED_STREAMS_FOLDER,
  recordingOf,
  WRITTEN_STREAMS_FOLDER,
} from '@palimpsest/testing/provider-streams.ts'
import { openFormatLab, outlineOf } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'

const FORMATS = [
  'openai-responses',
  'openai-chat',
  'openai-compatible-chat',
  'anthropic-messages',
  'google-messages',
] as const

const written = loadProviderStreams(WRITTEN_STREAMS_FOLDER)
const streams = [WRITTEN_STREAMS_FOLDER, RECORDED_STREAMS_FOLDER].flatMap(loadSoundStreams)

const IN_WORDS = /text-cached-prompt|cache-hit-tokens|cut-by-output-limit|redacted-thinking|tool-use-prompt/

/** A short answer of each format. */
function answerOf(folder: string): ProviderStream {
  const stream = written.find((each) => each.folder === folder && IN_WORDS.test(each.name))
  if (stream === undefined) throw new Error(`There is no answer in words of ${folder}`)
  return stream
}

/** Models by the format that they speak, named `<format>/<model>`. */
async function openLab() {
  const lab = await openFormatLab('openai-chat')
  const { models } = lab.ports
  const open = models.open
  models.open = async (ref) => {
    const [folder = '', modelId = ''] = ref.modelId.split('/')
    const model = openProviderModel(lab.provider, folder, modelId)
    return {
      ...(await open({ ...ref, modelId: 'm1' })),
      model,
      providerOptions: { openai: { store: false } },
    }
  }
  return lab
}

async function say(
  lab: Awaited<ReturnType<typeof openLab>>,
  sessionId: string,
  text: string,
  modelId: string,
) {
  const model = { providerId: 'lab', modelId }
  const message = { parts: [{ type: 'text' as const, text }] }
  const { runId } = await lab.sessions.send({ sessionId, message, model })
  await lab.chunksOf(sessionId, runId ?? '')
  const { items } = await lab.sessions.messages({ sessionId })
  return items.at(-1)
}

/** Each stream with two of the formats, so that every pair of formats comes up. */
const cases = streams.map((stream, index) => ({
  ...stream,
  formats: FORMATS.filter((_, place) => (place + index) % FORMATS.length < 2),
}))

test.for(cases)(
  'MO-1 RU-8 a conversation that begins with $folder/$name continues with $formats',
  { timeout: 60_000 },
  async (stream) => {
    for (const folder of stream.formats) {
      await using lab = await openLab()
      const { id } = await lab.sessions.create({ title: 'Switched' })
      lab.provider.script(recordingOf(stream))
      const first = await say(lab, id, 'Begin', `${stream.folder}/${modelIdOf(stream)}`)
      const signed =
        /"(?:signature|thoughtSignature|reasoningEncryptedContent|redactedData)":"([^"]{8,})"/.exec(
          JSON.stringify(first?.parts),
        )?.[1]
      lab.provider.script(recordingOf(answerOf(folder)))
      const reply = await say(lab, id, 'Go on', `${folder}/another-model`)
      expect(reply?.metadata?.error, `${folder}: ${JSON.stringify(reply?.metadata?.error)}`).toBeUndefined()
      expect(outlineOf(reply ?? { id: '', role: 'assistant', parts: [] })).not.toEqual([])
      expect(lab.provider.requests).toHaveLength(2)
      const sent = JSON.stringify(lab.provider.requests[1]?.body)
      expect(sent).toContain('Go on')
      if (signed !== undefined) expect(sent).not.toContain(signed)
    }
  },
)
