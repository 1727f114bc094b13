import {
  loadSoundStreams,
  modelIdOf,
  type ProviderStream,
  RECORDED_STREAMS_FOLDER,
  recordingOf,
  WRITTEN_STREAMS_FOLDER,
} from '@palimpsest/testing/provider-streams.ts'
import type { ReplyStep, ScriptedReply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { openFormatLab, turnOf } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'
import type { ChatMessage } from '../../domain/message/message.ts'
import { isToolPart } from '../../domain/message/message.ts'

/** A sound stream of each format that says the most. */
const streams = [
  ...loadSoundStreams(WRITTEN_STREAMS_FOLDER),
  ...loadSoundStreams(RECORDED_STREAMS_FOLDER).filter(({ lines }) => lines.length < 40),
]

type Framing = { name: string; frame: (frames: string[]) => ReplyStep[] }

const send = (text: string): ReplyStep => ({ send: text })
const field = (frame: string, change: (data: string) => string) =>
  frame.replace(/^data: (.*)$/m, (_, data: string) => change(data))

const framings: Framing[] = [
  { name: 'CRLF line ends', frame: (frames) => frames.map((frame) => send(frame.replaceAll('\n', '\r\n'))) },
  {
    name: 'comments and empty lines between events',
    frame: (frames) => frames.flatMap((frame) => [send(': ping\n\n'), send('\n\n'), send(frame)]),
  },
  {
    name: 'no space after the colon',
    frame: (frames) => frames.map((frame) => send(frame.replace(/^(data|event): /gm, '$1:'))),
  },
  {
    name: 'ids, retry times and unknown fields',
    frame: (frames) =>
      frames.map((frame, index) => send(`id: ${index}\nretry: 3000\nx-trace: abc\n${frame}`)),
  },
  {
    name: 'a byte order mark before the first event',
    frame: (frames) => frames.map((frame, index) => send(index === 0 ? `\uFEFF${frame}` : frame)),
  },
  {
    name: 'events over several data lines',
    frame: (frames) =>
      frames.map((frame) =>
        send(
          field(frame, (data) =>
            data.startsWith('{')
              ? JSON.stringify(JSON.parse(data), null, 1).replace(/^/gm, 'data: ')
              : `data: ${data}`,
          ),
        ),
      ),
  },
  {
    name: 'characters written as escapes',
    frame: (frames) =>
      frames.map((frame) =>
        send(
          frame.replace(
            /[^\0-\x7F]/g,
            (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
          ),
        ),
      ),
  },
  {
    name: 'no line end after its last event',
    frame: (frames) => [
      send(
        frames
          .filter((frame) => !frame.includes('[DONE]'))
          .join('')
          .trimEnd(),
      ),
    ],
  },
  {
    name: 'one line end after its last event',
    frame: (frames) => [send(`${frames.join('').trimEnd()}\n`)],
  },
  {
    name: 'carriage returns for line ends',
    frame: (frames) => frames.map((frame) => send(frame.replaceAll('\n', '\r'))),
  },
  { name: 'everything in one write', frame: (frames) => [send(frames.join(''))] },
  {
    name: 'seven bytes a write, across characters',
    frame: (frames) => {
      const bytes = Buffer.from(frames.join(''))
      return Array.from({ length: Math.ceil(bytes.length / 7) }, (_, part) => ({
        send: bytes.subarray(part * 7, part * 7 + 7),
      }))
    },
  },
]

async function replay(stream: ProviderStream, change: (frames: string[]) => ReplyStep[]) {
  await using lab = await openFormatLab(stream.folder, {}, modelIdOf(stream))
  const { message } = await turnOf(lab, reframed(recordingOf(stream), change))
  return essence(message)
}

function reframed(reply: ScriptedReply, change: (frames: string[]) => ReplyStep[]): ScriptedReply {
  const frames = [...reply.steps].flatMap((step) => ('send' in step ? [String(step.send)] : []))
  return { ...reply, steps: change(frames) }
}

/** A message without what is made anew with each run: ids, times and durations. */
function essence({ parts, metadata }: ChatMessage) {
  const bare = parts.map((part) => {
    if (isToolPart(part)) return { ...part, toolCallId: '', toolMetadata: {}, output: {} }
    return part.type === 'source-url' || part.type === 'source-document' ? { ...part, sourceId: '' } : part
  })
  return { parts: bare, usage: metadata?.usage, finishReason: metadata?.finishReason, error: metadata?.error }
}

test.for(framings)(
  'RL-5 a stream with $name is the same stream',
  { timeout: 60_000 },
  async ({ name, frame }) => {
    for (const stream of streams) {
      const plain = await replay(stream, (frames) => frames.map(send))
      expect(await replay(stream, frame), `${stream.folder}/${stream.name} with ${name}`).toEqual(plain)
    }
  },
)
