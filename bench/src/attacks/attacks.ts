import { gzipSync } from 'node:zlib'
import { ANTHROPIC, CHAT, GOOGLE, type WireFormat } from './wire-format.ts'

/** An answer that a provider should not send, or a very long one. */
export type Attack = {
  name: string
  format: WireFormat
  encoding?: 'gzip'
  /** Pieces of the answer's body; with a `scale` below 1 it is so much shorter. */
  body(scale: number): Iterable<string | Uint8Array>
}

const MEGABYTE = 1024 * 1024
const KILOBYTE = 1024

const SOME_ARGUMENTS = 1_000_000

/** What the bench sends, in the format of chat completions but where another one is named. */
export const ATTACKS: readonly Attack[] = [
  textOf(CHAT, 'a plain reply', 2_000, 20),
  { name: 'line without an end', format: CHAT, body: (scale) => endlessLine(200 * MEGABYTE * scale) },
  {
    name: 'gzip bomb of 2 GB',
    format: CHAT,
    encoding: 'gzip',
    body: (scale) => bomb(2_048 * MEGABYTE * scale),
  },
  { name: '10,000 tool calls', format: CHAT, body: (scale) => toolCalls(CHAT, 10_000 * scale) },
  ...[CHAT, ANTHROPIC].flatMap((format) => [
    callOf(format, '50 MB of arguments', 50 * MEGABYTE, KILOBYTE),
    callOf(format, '1.2 MB of arguments in pieces of 20 characters', 1.2 * MEGABYTE, 20),
    callOf(format, '1 MB of arguments in pieces of 20 characters', SOME_ARGUMENTS, 20),
    callOf(format, '1 MB of arguments in one piece', SOME_ARGUMENTS, SOME_ARGUMENTS),
  ]),
  ...[CHAT, ANTHROPIC, GOOGLE].map(emptyTexts),
  emptyArguments(CHAT),
  {
    name: 'comments without an end',
    format: CHAT,
    body: (scale) => repeat(': wait\n\n', 20_000_000 * scale),
  },
  ...[CHAT, ANTHROPIC, GOOGLE].flatMap((format) => [
    textOf(format, '8 MB of text in deltas of 20 characters', 8 * MEGABYTE, 20),
    textOf(format, '8 MB of text in one delta', 7.9 * MEGABYTE, 7.9 * MEGABYTE),
  ]),
  textOf(CHAT, '24 MB of text in deltas of 1 kB', 24_000_000, KILOBYTE),
]

function emptyArguments(format: WireFormat): Attack {
  return {
    name: 'empty arguments without an end',
    format,
    *body(scale) {
      yield format.begin() + format.openCall(0)
      yield* repeat(format.argument(0, ''), 2_000_000 * scale)
    },
  }
}

function callOf(format: WireFormat, what: string, characters: number, piece: number): Attack {
  return {
    name: named(what, format),
    format,
    *body(scale) {
      yield format.begin() + format.openCall(0)
      yield format.argument(0, '{"items":["')
      yield* repeat(format.argument(0, 'a'.repeat(piece)), (characters * scale) / piece)
      yield format.argument(0, '"]}') + format.end(true)
    },
  }
}

function textOf(format: WireFormat, what: string, characters: number, piece: number): Attack {
  return {
    name: named(what, format),
    format,
    *body(scale) {
      yield format.begin() + format.openText()
      yield* repeat(format.text(words(Math.min(piece, characters * scale))), (characters * scale) / piece)
      yield format.end(false)
    },
  }
}

function emptyTexts(format: WireFormat): Attack {
  return {
    name: named('empty texts without an end', format),
    format,
    *body(scale) {
      yield format.begin() + format.openText() + format.text('One')
      yield* repeat(format.text(''), 2_000_000 * scale)
    },
  }
}

function named(what: string, { kind }: WireFormat): string {
  return kind === CHAT.kind ? what : `${what}, ${kind}`
}

const VOCABULARY = 'the quick brown fox jumps over a lazy dog while some other words come along '

function words(characters: number): string {
  return VOCABULARY.repeat(Math.ceil(characters / VOCABULARY.length)).slice(0, characters)
}

function* toolCalls(format: WireFormat, calls: number) {
  yield format.begin()
  for (let index = 0; index < calls; index++)
    yield format.openCall(index) + format.argument(index, '{"items":[]}')
  yield format.end(true)
}

function* endlessLine(bytes: number) {
  yield `${CHAT.begin()}data: {"choices":[{"index":0,"delta":{"content":"`
  yield* repeat('a'.repeat(64 * KILOBYTE), bytes / KILOBYTE / 64)
}

function* bomb(bytes: number) {
  yield gzipSync(CHAT.begin() + CHAT.text('One'))
  const zeros = gzipSync(Buffer.alloc(64 * MEGABYTE, ' '))
  yield* repeat(zeros, bytes / MEGABYTE / 64)
}

/** In batches, so that sending takes the provider less time than reading takes the server. */
function* repeat<T extends string | Uint8Array>(piece: T, times: number): Generator<string | Uint8Array> {
  const batch = Math.max(1, Math.floor((64 * KILOBYTE) / piece.length))
  const batched = typeof piece === 'string' ? piece.repeat(batch) : piece
  const step = typeof piece === 'string' ? batch : 1
  let left = Math.max(1, Math.round(times))
  for (; left >= step; left -= step) yield batched
  for (; left > 0; left -= 1) yield piece
}
