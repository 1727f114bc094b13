import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { systemClock } from '../../live/system-clock.ts'
import { createProviderFetch } from './provider-fetch.ts'

const ENCODERS = { gzip: createGzip, deflate: createDeflate, br: createBrotliCompress }
const ENCODINGS = ['gzip', 'deflate', 'br'] as const
const FLUSH = {
  gzip: constants.Z_SYNC_FLUSH,
  deflate: constants.Z_SYNC_FLUSH,
  br: constants.BROTLI_OPERATION_FLUSH,
}
const EVENTS = Array.from({ length: 40 }, (_, at) => `data: {"text":"event ${at} ${'word '.repeat(at)}"}\n\n`)
const ALL = EVENTS.join('')

type Server = { encoding: (typeof ENCODINGS)[number]; obeys: boolean; end: 'proper' | 'cut' }

/**
 * A server that encodes its answer, unless it `obeys` a request for one that is not encoded. It flushes each event by itself, and
 * ends its answer or cuts the connection right after the last one.
 */
async function openEncoder({ encoding, obeys, end }: Server) {
  const server = createServer((request, response) => {
    const plain = obeys && request.headers['accept-encoding'] === 'identity'
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      ...(!plain && { 'content-encoding': encoding }),
    })
    const finish = () => {
      if (end === 'cut') response.write('', () => response.socket?.destroy())
      else response.end()
    }
    const events = EVENTS.values()
    if (plain) {
      for (const event of events) response.write(event)
      finish()
      return
    }
    const encoder = ENCODERS[encoding]()
    encoder.on('data', (bytes) => response.write(bytes))
    const next = () => {
      const { done, value } = events.next()
      if (done === true && end === 'proper') encoder.end().on('end', finish)
      else if (done === true) finish()
      else {
        encoder.write(value)
        encoder.flush(FLUSH[encoding], next)
      }
    }
    next()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() }
}

/** What is read of the answer to a request for a stream, and whether it ended properly. */
async function receivedOf(from: Server): Promise<{ text: string; failed: boolean }> {
  using server = await openEncoder(from)
  const fetch = createProviderFetch({ fetch: globalThis.fetch, redact: (text) => text, clock: systemClock })
  const { body } = await fetch(server.url, { method: 'POST', body: JSON.stringify({ stream: true }) })
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of body ?? []) text += decoder.decode(bytes, { stream: true })
    return { text, failed: false }
  } catch {
    return { text, failed: true }
  }
}

test.for(ENCODINGS)(
  'RE-3 a server that can encode by %s is asked not to, and a cut of its connection loses no event that came',
  async (encoding) => {
    for (let round = 0; round < 5; round++)
      expect(await receivedOf({ encoding, obeys: true, end: 'cut' })).toEqual({ text: ALL, failed: true })
  },
)

test.for(ENCODINGS)(
  'RE-3 an answer that is encoded by %s all the same is read to its end',
  async (encoding) => {
    expect(await receivedOf({ encoding, obeys: false, end: 'proper' })).toEqual({
      text: `${ALL}\n\n`,
      failed: false,
    })
  },
)

test.for(ENCODINGS)(
  'RE-3 of an answer that is encoded by %s all the same a cut loses at most its end, and is a failure',
  async (encoding) => {
    const { text, failed } = await receivedOf({ encoding, obeys: false, end: 'cut' })
    expect(failed).toBe(true)
    expect(ALL.startsWith(text)).toBe(true)
  },
)
