import { createHash } from 'node:crypto'
import { blobUrl, LIMITS } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/index.ts'

type Answer = { received?: number; hash?: string; size?: number; error?: { data: Record<string, unknown> } }

/** Sends bytes of an upload; `type` is left out for null. */
async function send(
  { url }: TestServer,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(`${url}/api/v1/blobs`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/octet-stream', ...headers },
  })
  const json = (await answer.json()) as Answer
  return { status: answer.status, json, field: json.error?.data['field'], code: json.error?.data['appCode'] }
}

const part = (uploadId: string, range: string) => ({ 'upload-id': uploadId, 'content-range': range })
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('UI-33 an upload in any pieces has the hash of its bytes, and says how many have come', async () => {
  await using server = await startTestServer()
  let uploads = 0
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme-ascii', minLength: 2, maxLength: 60 }),
      fc.array(fc.nat(59), { maxLength: 4 }),
      async (text, cuts) => {
        uploads += 1
        const places = [...new Set([0, ...cuts.filter((cut) => cut < text.length), text.length])]
        const sorted = places.toSorted((a, b) => a - b)
        for (const [at, from] of sorted.slice(0, -1).entries()) {
          const until = sorted[at + 1] ?? text.length
          const range = `bytes ${from}-${until - 1}/${text.length}`
          const { status, json } = await send(server, text.slice(from, until), part(`u${uploads}`, range))
          if (until < text.length) expect([status, json]).toEqual([202, { received: until }])
          else expect([status, json.hash, json.size]).toEqual([201, sha256(text), text.length])
        }
      },
    ),
    { numRuns: 25 },
  )
})

test('UI-33 an empty file is a blob of no bytes', async () => {
  await using server = await startTestServer()
  const { status, json } = await send(server, '', { 'content-type': 'text/plain' })
  expect([status, json.size, json.hash]).toEqual([201, 0, sha256('')])
  const file = await fetch(`${server.url}${blobUrl(json.hash ?? '')}`)
  expect([file.status, file.headers.get('content-length'), await file.text()]).toEqual([200, '0', ''])
})

test('UI-33 an upload that nobody has begun has no bytes, with its total named or not', async () => {
  await using server = await startTestServer()
  for (const range of ['bytes */100', 'bytes */*'])
    expect(await send(server, '', part('u', range))).toMatchObject({ status: 200, json: { received: 0 } })
})

test('UI-33 uploads of two ids do not mix', async () => {
  await using server = await startTestServer()
  await send(server, 'aa', part('one', 'bytes 0-1/4'))
  await send(server, 'bbb', part('two', 'bytes 0-2/4'))
  expect((await send(server, 'aa', part('one', 'bytes 2-3/4'))).json.hash).toBe(sha256('aaaa'))
  expect((await send(server, 'b', part('two', 'bytes 3-3/4'))).json.hash).toBe(sha256('bbbb'))
})

test('UI-33 an id is free again once its upload has ended', async () => {
  await using server = await startTestServer()
  const whole = part('u', 'bytes 0-1/2')
  expect((await send(server, 'ab', whole)).json.hash).toBe(sha256('ab'))
  expect((await send(server, '', part('u', 'bytes */2'))).json.received).toBe(0)
  expect((await send(server, 'cd', whole)).json.hash).toBe(sha256('cd'))
})

test('UI-33 the type of the last part is that of the file, and a wrong one ends the upload', async () => {
  await using server = await startTestServer()
  const last = part('u', 'bytes 1-2/3')
  await send(server, 'a', { ...part('u', 'bytes 0-0/3'), 'content-type': 'image/png' })
  const wrong = await send(server, 'bc', { ...last, 'content-type': 'image/png' })
  expect([wrong.status, wrong.field]).toEqual([400, 'content-type'])
  expect((await send(server, '', part('u', 'bytes */3'))).json.received).toBe(0)
})

test.for([
  ['that begins later than what has come', 'bytes 3-3/4'],
  ['that comes again', 'bytes 0-1/4'],
  ['that overlaps', 'bytes 1-2/4'],
] as const)('UI-33 a part %s is a conflict, and changes nothing', async ([, range]) => {
  await using server = await startTestServer()
  await send(server, 'ab', part('u', 'bytes 0-1/4'))
  expect(await send(server, 'x', part('u', range))).toMatchObject({ status: 409, code: 'CONFLICT' })
  expect((await send(server, '', part('u', 'bytes */4'))).json.received).toBe(2)
  expect((await send(server, 'cd', part('u', 'bytes 2-3/4'))).json.hash).toBe(sha256('abcd'))
})

test.for([
  'bytes',
  'bytes 0-1',
  'bytes 0-1/*',
  'bytes -1/2',
  'bytes 0-/2',
  'bytes=0-1/2',
  'bytes 0-2/2',
  'bytes 1-0/2',
  'bytes 0-0/0',
  'bytes 0-1/2, bytes 0-1/2',
  'bytes 0x0-0x1/0x2',
  'bytes 0-1.5/2',
  'bytes +0-1/2',
  `bytes 0-1/${'9'.repeat(16)}`,
  'Bytes 0-1/2',
  'bytes  0-1/2',
])('AP-1 a content-range of %j is a 400 of that field, and begins no upload', async (range) => {
  await using server = await startTestServer()
  const answer = await send(server, 'ab', part('u', range))
  expect([answer.status, answer.code, answer.field]).toEqual([400, 'INVALID_INPUT', 'content-range'])
  expect((await send(server, '', part('u', 'bytes */2'))).json.received).toBe(0)
})

test.for(['a b', 'a/b', '..', 'a.b', 'a,b', 'x'.repeat(129), 'ü', ' '])(
  'AP-1 an upload-id of %j is a 400 of that field, with a range, a question and without',
  async (uploadId) => {
    await using server = await startTestServer()
    const header = { 'upload-id': Buffer.from(uploadId).toString('latin1') }
    for (const range of [{}, { 'content-range': 'bytes 0-0/1' }, { 'content-range': 'bytes */1' }]) {
      const answer = await send(server, 'a', { ...header, ...range })
      expect([answer.status, answer.field]).toEqual([400, 'upload-id'])
    }
  },
)

test.for(['a', 'A_z-9', 'x'.repeat(128)])('UI-33 an upload-id may be %j', async (uploadId) => {
  await using server = await startTestServer()
  expect((await send(server, 'a', { 'upload-id': uploadId })).status).toBe(201)
})

test('UI-33 a body without its length is received until it ends', async () => {
  await using server = await startTestServer()
  const pieces = ['one ', 'two ', 'three']
  const body = new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(piece))
    },
  })
  const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'text/plain' } } as const
  const answer = await fetch(`${server.url}/api/v1/blobs`, init)
  expect([answer.status, ((await answer.json()) as Answer).hash]).toEqual([201, sha256('one two three')])
})

test('SX-6 the largest file is received, by its range, and one more byte is refused before any comes', async () => {
  await using server = await startTestServer()
  const total = LIMITS.blobBytes
  const most = await send(server, 'a', part('u', `bytes 0-0/${total}`))
  expect([most.status, most.json.received]).toEqual([202, 1])
  const over = await send(server, 'a', part('v', `bytes 0-0/${total + 1}`))
  expect([over.status, over.field]).toEqual([400, 'body'])
  expect((await send(server, '', part('v', 'bytes */1'))).json.received).toBe(0)
})

test('SX-5 an error about an upload repeats nothing of its heads', async () => {
  await using server = await startTestServer()
  for (const headers of [
    part('canary/1', 'bytes 0-0/1'),
    part('u', 'canary'),
    { 'content-type': 'canary', 'upload-id': 'u' },
  ]) {
    const { status, json } = await send(server, 'a', headers)
    expect(status).toBe(400)
    expect(JSON.stringify(json)).not.toContain('canary')
  }
})
