import { blobUrl, type FilePart } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { downloadOf, isHeld } from './file-source.ts'
import { readFileText } from './read-file-text.ts'

afterEach(() => void vi.unstubAllGlobals())

const SHOWN = 200_000
const { signal } = new AbortController()
const stored: FilePart = { type: 'file', mediaType: 'text/plain', url: blobUrl('b'.repeat(64)) }
const inline = (bytes: Uint8Array): FilePart => ({
  type: 'file',
  mediaType: 'text/plain',
  url: `data:text/plain;base64,${Buffer.from(bytes).toString('base64')}`,
})
const bytesOf = (text: string) => new TextEncoder().encode(text)

function stubServer(answer: () => Response | Promise<Response>) {
  const fetched = vi.fn((_url: string, _options: RequestInit) => Promise.resolve().then(answer))
  vi.stubGlobal('fetch', fetched)
  return fetched
}

test('UI-33 the text of a file in its message is read without a request', async () => {
  const fetched = stubServer(() => new Response('other'))
  expect(await readFileText(inline(bytesOf('galls — and ink ☕')), signal)).toEqual({
    text: 'galls — and ink ☕',
    whole: true,
  })
  expect(fetched).not.toHaveBeenCalled()
})

test.each([
  ['no base64', 'data:text/plain,galls'],
  ['base64 that can’t be read', 'data:text/plain;base64,%%%'],
  ['nothing', 'data:'],
  ['an empty file', 'data:text/plain;base64,'],
])('UI-33 a file of %s is an empty text', async (_, url) => {
  expect(await readFileText({ ...stored, url }, signal)).toEqual({ text: '', whole: true })
})

test('UI-33 of a stored file only the beginning is requested', async () => {
  const fetched = stubServer(() => new Response('galls', { status: 206 }))
  expect(await readFileText(stored, signal)).toEqual({ text: 'galls', whole: true })
  const [url, options] = fetched.mock.calls[0] ?? []
  expect(url).toBe(stored.url)
  expect(options).toMatchObject({ signal, headers: { range: `bytes=0-${SHOWN}` } })
})

test('UI-33 a text that is longer than what is shown is not whole, one of that length is', async () => {
  stubServer(() => new Response('x'.repeat(SHOWN), { status: 206 }))
  expect(await readFileText(stored, signal)).toMatchObject({ whole: true })
  stubServer(() => new Response('x'.repeat(SHOWN + 1), { status: 206 }))
  const { text, whole } = await readFileText(stored, signal)
  expect([text.length, whole]).toEqual([SHOWN, false])
})

test('UI-33 a server that sends all of a file gets it cut in the page', async () => {
  stubServer(() => new Response('x'.repeat(SHOWN * 2)))
  const { text, whole } = await readFileText(stored, signal)
  expect([text.length, whole]).toEqual([SHOWN, false])
})

test('UI-33 a stored file without bytes is an empty text', async () => {
  stubServer(() => new Response('Range Not Satisfiable', { status: 416 }))
  expect(await readFileText(stored, signal)).toEqual({ text: '', whole: true })
})

test.each([404, 410, 401, 500])('UI-33 a stored file that is answered by %i is not there', async (status) => {
  stubServer(() => new Response('{"error":"x"}', { status }))
  await expect(readFileText(stored, signal)).rejects.toThrow('The file is not there.')
})

test('UI-33 a request that is cut off is a failure', async () => {
  stubServer(() => Promise.reject(new TypeError('fetch failed')))
  await expect(readFileText(stored, signal)).rejects.toThrow('fetch failed')
})

test('UI-33 bytes that are no text are shown with a sign for each', async () => {
  const { text } = await readFileText(inline(new Uint8Array([0x61, 0xff, 0xfe, 0x62])), signal)
  expect(text).toBe('a\uFFFD\uFFFDb')
})

test('UI-33 a text is cut between two characters', async () => {
  for (const before of [0, 1, 2, 3]) {
    const file = inline(bytesOf('x'.repeat(SHOWN - before) + '☕'.repeat(3)))
    const { text, whole } = await readFileText(file, signal)
    expect(text.slice(SHOWN - 5)).toBe(`${'x'.repeat(5 - before)}${before === 3 ? '☕' : ''}`)
    expect(whole).toBe(false)
  }
})

test('UI-33 any text of a message is read as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (written) => {
      expect(await readFileText(inline(bytesOf(written)), signal)).toEqual({ text: written, whole: true })
    }),
  )
})

test.each([
  ['in the message', 'data:text/plain;base64,YQ==', true],
  ['in the store', blobUrl('0'.repeat(64)), true],
  ['at another host', `https://evil.example${blobUrl('0'.repeat(64))}`, false],
  ['in the store by a shorter hash', blobUrl('0'.repeat(63)), false],
  ['in the store by capitals', blobUrl('A'.repeat(64)), false],
  ['behind the store', `${blobUrl('0'.repeat(64))}/../x`, false],
  ['in the store with a question', `${blobUrl('0'.repeat(64))}?name=x`, false],
  ['on the disk', 'file:///etc/passwd', false],
  ['in a script', 'javascript:alert(1)', false],
  ['in the page', 'blob:http://localhost/1', false],
])('SX-11 whether a file %s is held: %s', (_, url, held) => {
  expect(isHeld({ ...stored, url })).toBe(held)
})

test('UI-33 the address of a download has the name of a stored file, and keeps it one parameter', () => {
  const of = (filename: string) => downloadOf({ ...stored, filename })
  expect(of('a b&c=d?#e/..%.txt')).toBe(`${stored.url}?name=a%20b%26c%3Dd%3F%23e%2F..%25.txt`)
  expect(downloadOf(stored)).toBe(stored.url)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(URL.parse(of(name), 'http://localhost')?.searchParams.getAll('name')).toEqual([name])
    }),
  )
})

test('UI-33 a file in its message is downloaded from there, under any name', () => {
  const url = 'data:text/plain;base64,YQ=='
  expect(downloadOf({ ...stored, url, filename: 'a.txt' })).toBe(url)
})
