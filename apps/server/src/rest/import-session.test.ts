import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { SessionService } from '@palimpsest/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importSession } from './import-session.ts'

const SESSION = { id: 'ses_1' }

/** Sends these bytes, chunk by chunk, to a session service that collects what it reads. */
async function send(pieces: readonly Buffer[], ending: 'end' | 'cut' = 'end') {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  let answered = ''
  response.end = ((body: string) => {
    answered = body
    return response
  }) as typeof response.end
  let text = ''
  const history = {
    async import(source: AsyncIterable<string>) {
      for await (const piece of source) text += piece
      return SESSION
    },
  }
  // An import calls no other method of the service.
  const sessions = { history } as unknown as SessionService
  const imported = importSession(sessions, request, response)
  for (const piece of pieces) request.push(piece)
  if (ending === 'end') request.push(null)
  else request.destroy(new Error('aborted by /home/ann'))
  await imported
  return { text, answered, status: response.statusCode }
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1))), bytes.length].toSorted(
    (a, b) => a - b,
  )
  return ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))
}

test('OB-1 an export split at any byte is read as the same text, and the session is returned', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.nat(), { maxLength: 6 }),
      async (sent, places) => {
        const { text, answered, status } = await send(cut(Buffer.from(sent), places))
        expect(text).toBe(sent)
        expect([status, JSON.parse(answered)]).toEqual([200, SESSION])
      },
    ),
  )
})

test('OB-1 a byte order mark at the start is not part of the text', async () => {
  expect((await send([Buffer.from('\uFEFF{"type":"session"}')])).text).toBe('{"type":"session"}')
})

test.each([
  ['a byte that begins nothing', Buffer.from([0x7b, 0xff, 0x7d])],
  ['a character that is cut at the end', Buffer.from('{"a":"ö').subarray(0, -1)],
  ['what a compressed file begins with', Buffer.from([0x1f, 0x8b, 0x08, 0x00])],
  ['UTF-16', Buffer.from('\uFEFF{"type"', 'utf16le')],
])('OB-1 %s is refused as invalid UTF-8', async (_what, bytes) => {
  await expect(send([bytes])).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'body',
    message: 'An export is UTF-8.',
  })
})

test('OB-1 a body that breaks off fails as the caller’s error, without details of the connection', async () => {
  await expect(send([Buffer.from('{"type":')], 'cut')).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'body',
    message: 'The body ended before its end.',
  })
})
