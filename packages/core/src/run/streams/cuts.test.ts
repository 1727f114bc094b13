import {
  loadSoundStreams,
  modelIdOf,
  type ProviderStream,
  RECORDED_STREAMS_FOLDER,
  recordingOf,
  WRITTEN_STREAMS_FOLDER,
} from '@palimpsest/testing/provider-streams.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import type { ReplyStep } from '@palimpsest/testing/scripted-provider-reply.ts'
import { openFormatLab, outlineOf, turnOf } from '@palimpsest/testing/stream-lab.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatMessage } from '../../domain/message/message.ts'
import { isToolPart } from '../../domain/message/message.ts'

const streams = [
  ...loadSoundStreams(WRITTEN_STREAMS_FOLDER),
  ...loadSoundStreams(RECORDED_STREAMS_FOLDER),
].filter(({ lines }) => lines.length < 60)

/** The bytes of a stream on the wire. */
function bytesOf(stream: ProviderStream): Buffer {
  const sent = [...recordingOf(stream).steps].map((step) => ('send' in step ? String(step.send) : ''))
  return Buffer.from(sent.join(''))
}

type Ending = 'cut' | 'end'

/** What a run makes of the first bytes of a stream, after which the connection is cut or just ends. */
async function replyAfter(stream: ProviderStream, bytes: number, ending: Ending) {
  await using lab = await openFormatLab(stream.folder, {}, modelIdOf(stream))
  const send: ReplyStep = { send: bytesOf(stream).subarray(0, bytes) }
  const steps: ReplyStep[] = ending === 'cut' ? [send, { cut: true }] : [send]
  const { message, chunks } = await turnOf(lab, { ...recordingOf(stream), steps })
  expect(message).toEqual(await reduceBySdk(chunks))
  expect(chunks.filter(({ type }) => ['finish', 'abort', 'error'].includes(type))).toHaveLength(1)
  lab.provider.script(recordingOf(stream))
  const { id: sessionId } = (await lab.sessions.list({})).items[0] ?? { id: '' }
  const next = await lab.turn('Again', sessionId)
  expect(next.messages.at(-1)?.metadata).not.toHaveProperty('error')
  return message
}

const spoken = ({ parts }: ChatMessage) =>
  parts.map((part) => (part.type === 'text' || part.type === 'reasoning' ? part.text : '')).join('')

/** The last event with which each format says that its answer is complete. */
const SAYS_END = /message_stop|"response\.(completed|incomplete)"|"(finish_?[rR]eason|blockReason)":"/

test.for(streams)(
  'RL-3 RE-3 $folder/$name that breaks off anywhere keeps what had come, and is distinguished from a finished reply',
  { timeout: 60_000 },
  async (stream) => {
    const whole = bytesOf(stream)
    const full = await replyAfter(stream, whole.length, 'end')
    const places = fc.tuple(
      fc.integer({ min: 1, max: whole.length - 1 }),
      fc.constantFrom<Ending>('cut', 'end'),
    )
    await fc.assert(
      fc.asyncProperty(places, async ([bytes, ending]) => {
        const message = await replyAfter(stream, bytes, ending)
        expect(spoken(full).startsWith(spoken(message))).toBe(true)
        const came = whole.subarray(0, bytes).toString()
        if (message.metadata?.finishReason !== 'error') {
          expect(came).toMatch(SAYS_END)
          expect(outlineOf(message)).toEqual(outlineOf(full))
        }
        const states = message.parts.filter(isToolPart).map(({ state }) => state)
        expect(states).not.toContain('approval-responded')
      }),
      { numRuns: 12 },
    )
  },
)
