import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { begin } from '@palimpsest/testing/anthropic-events.ts'
import { openModelLab } from '@palimpsest/testing/stream-lab.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatMessage } from '../../domain/message/message.ts'
import { systemClock } from '../../live/system-clock.ts'
import { type Connection, openModel } from '../../model/providers/open-model.ts'

type Event = Record<string, unknown>
type Format = { connection: Pick<Connection, 'kind' | 'api'>; opening: Event[]; word(text: string): Event }

const chat = (content: string): Event => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'own',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
})

/** How each kind of provider streams the words of a reply. */
const FORMATS: Record<string, Format> = {
  'openai-compatible': { connection: { kind: 'openai-compatible' }, opening: [], word: chat },
  'openai chat': { connection: { kind: 'openai', api: 'chat' }, opening: [], word: chat },
  'openai responses': {
    connection: { kind: 'openai', api: 'responses' },
    opening: [
      { type: 'response.created', response: { id: 'r', created_at: 0, model: 'own', output: [] } },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'message', id: 'm', role: 'assistant', content: [] },
      },
    ],
    word: (delta) => ({
      type: 'response.output_text.delta',
      item_id: 'm',
      output_index: 0,
      content_index: 0,
      delta,
    }),
  },
  anthropic: {
    connection: { kind: 'anthropic' },
    opening: [begin(), { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }],
    word: (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  },
  google: {
    connection: { kind: 'google' },
    opening: [],
    word: (text) => ({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }] }),
  },
}
const NAMES = Object.keys(FORMATS)

type Ending = 'FIN' | 'RST'
type Answer = { pieces: readonly Buffer[]; ending: Ending; length?: boolean }

/** The port of each connection that `fetch` opens, with its socket here. */
const opened = new Map<number, Socket>()
const onConnected = (message: unknown) => {
  const { socket } = message as { socket: Socket }
  if (socket.localPort !== undefined) opened.set(socket.localPort, socket)
}
beforeAll(() => subscribe('undici:client:connected', onConnected))
afterAll(() => unsubscribe('undici:client:connected', onConnected))

/** Waits until this process has received all that a server has sent: a reset discards what is on its way. */
async function received({ remotePort = 0, bytesWritten }: Socket): Promise<void> {
  while ((opened.get(remotePort)?.bytesRead ?? 0) < bytesWritten) await turn()
}

/** A server that answers every request with these bytes, each piece in a write of its own, and cuts the connection. */
async function startCutting({ pieces, ending, length = false }: Answer) {
  const asked: IncomingMessage['headers'][] = []
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { socket } = request
    asked.push(request.headers)
    for await (const _ of request);
    // More than comes.
    const size = pieces.reduce((sum, piece) => sum + piece.length, 1)
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      ...(length && { 'content-length': size }),
    })
    for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve))
    if (ending === 'FIN') return socket.destroy()
    await received(socket)
    return socket.resetAndDestroy()
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    asked,
    baseURL: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What a run stores of an answer that is cut after these bytes. */
async function storedOf(name: string, answer: Answer) {
  await using server = await startCutting(answer)
  const connection = {
    ...FORMATS[name]?.connection,
    baseURL: server.baseURL,
    apiKey: 'none',
    providerId: 'cut',
  }
  await using lab = await openModelLab(() => openModel(connection as Connection, 'own', systemClock).model)
  const { id } = await lab.sessions.create({ title: 'Cut' })
  const { messages } = await lab.turn('Hi', id)
  return { message: messages[1], asked: server.asked }
}

function bytesOf(name: string, words: readonly string[]): Buffer[] {
  const { opening = [], word } = FORMATS[name] ?? {}
  const events = [...opening, ...words.map((text) => word?.(text))]
  return events.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
}

const spoken = (message: ChatMessage | undefined) =>
  message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

const WORDS = Array.from({ length: 400 }, (_, index) => `word${index} `)

const ways = NAMES.flatMap((name) =>
  (['FIN', 'RST'] as const).flatMap((ending) =>
    ['one write', 'a write each'].flatMap((writes) =>
      [true, false].map((length) => ({ name, ending, writes, length })),
    ),
  ),
)

test.for(ways)(
  'RE-3 RL-3 all that came of $name before its $ending is stored: $writes, with a length $length',
  async ({ name, ending, writes, length }) => {
    const events = bytesOf(name, WORDS)
    const pieces = writes === 'one write' ? [Buffer.concat(events)] : events
    const { message, asked } = await storedOf(name, { pieces, ending, length })
    expect(spoken(message)).toBe(WORDS.join(''))
    expect(message?.metadata).toMatchObject({ finishReason: 'error', error: { code: 'PROVIDER_ERROR' } })
    expect(asked[0]?.['accept-encoding']).toBe('identity')
  },
)

const split = fc.record({
  name: fc.constantFrom(...NAMES),
  ending: fc.constantFrom<Ending>('FIN', 'RST'),
  words: fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 60 }),
  cut: fc.double({ min: 0, max: 1, noNaN: true }),
  sizes: fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 20 }),
})

test('RE-3 RL-3 every event that came whole is in the message, wherever the answer is split and cut', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(split, async ({ name, ending, words, cut, sizes }) => {
      const events = bytesOf(name, words)
      const first = events.length - words.length
      const least = events.slice(0, first + 1).reduce((sum, event) => sum + event.length, 0)
      const all = Buffer.concat(events)
      const sent = all.subarray(0, least + Math.round(cut * (all.length - least)))
      const ends = events.map((_, index) => Buffer.concat(events.slice(0, index + 1)).length)
      const whole = ends.filter((end) => end <= sent.length).length - first
      const pieces: Buffer[] = []
      for (let at = 0, turn = 0; at < sent.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1
        pieces.push(sent.subarray(at, at + size))
        at += size
      }
      const { message } = await storedOf(name, { pieces, ending })
      expect(spoken(message)).toBe(words.slice(0, whole).join(''))
    }),
    { numRuns: 40 },
  )
})
