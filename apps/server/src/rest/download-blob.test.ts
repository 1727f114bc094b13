import { request } from 'node:http'
import { blobUrl } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestServer } from '../testing/index.ts'

const TEXT = 'The quick brown fox jumps over the lazy dog'

/** A server with one file, and its address. */
async function openLab(content = TEXT) {
  const server = await startTestServer()
  const answer = await fetch(`${server.url}/api/v1/blobs`, {
    method: 'POST',
    body: content,
    headers: { 'content-type': 'application/octet-stream' },
  })
  const { hash } = (await answer.json()) as { hash: string }
  const path = blobUrl(hash)
  return {
    hash,
    path,
    get: (headers: Record<string, string> = {}, query = '', method = 'GET') =>
      fetch(`${server.url}${path}${query}`, { method, headers }),
    /** Sends a path as it is written: `fetch` would correct it. */
    status: (written: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const { hostname, port } = new URL(server.url)
        const sent = request({ hostname, port, path: written }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode))
        })
        sent.on('error', reject).end()
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const nameOf = async (lab: Awaited<ReturnType<typeof openLab>>, query: string) =>
  (await lab.get({}, query, 'HEAD')).headers.get('content-disposition')

test('UI-33 every range is that part of the file, with its length and place', async () => {
  await using lab = await openLab()
  await fc.assert(
    fc.asyncProperty(fc.nat(TEXT.length - 1), fc.nat(80), async (from, more) => {
      const answer = await lab.get({ range: `bytes=${from}-${from + more}` })
      const expected = TEXT.slice(from, from + more + 1)
      expect(answer.status).toBe(206)
      expect(answer.headers.get('content-length')).toBe(String(expected.length))
      expect(answer.headers.get('content-range')).toBe(
        `bytes ${from}-${from + expected.length - 1}/${TEXT.length}`,
      )
      expect(await answer.text()).toBe(expected)
    }),
    { numRuns: 30 },
  )
})

test.for([
  ['bytes=-3', 206, 'dog'],
  ['bytes=40-', 206, 'dog'],
  ['bytes=-1000', 206, TEXT],
  ['bytes=0-0', 206, 'T'],
  ['bytes=0-1,4-5', 200, TEXT],
  ['bytes=5-4', 200, TEXT],
  ['bytes=a-b', 200, TEXT],
  ['bytes=-', 200, TEXT],
  ['items=0-1', 200, TEXT],
  ['bytes=43-', 416, ''],
  ['bytes=-0', 416, ''],
  ['bytes=999999999999999-', 416, ''],
  ['bytes=9999999999999999-', 200, TEXT],
] as const)('UI-33 range %s is answered with %i and %j', async ([range, status, body]) => {
  await using lab = await openLab()
  const answer = await lab.get({ range })
  expect([answer.status, await answer.text()]).toEqual([status, body])
  expect(answer.headers.get('accept-ranges')).toBe('bytes')
})

test('UI-33 an empty file has no range, and is sent whole without one', async () => {
  await using lab = await openLab('')
  expect((await lab.get({ range: 'bytes=0-' })).status).toBe(416)
  expect((await lab.get({ range: 'bytes=-1' })).status).toBe(416)
  const whole = await lab.get()
  expect([whole.status, await whole.text()]).toEqual([200, ''])
})

test('UI-33 a range for another version gets the whole file', async () => {
  await using lab = await openLab()
  const range = 'bytes=0-2'
  expect((await lab.get({ range, 'if-range': `"${lab.hash}"` })).status).toBe(206)
  for (const other of ['"other"', `W/"${lab.hash}"`, lab.hash, 'Wed, 21 Oct 2026 07:28:00 GMT'])
    expect((await lab.get({ range, 'if-range': other })).status).toBe(200)
})

test('UI-33 HEAD answers as GET does, without a body', async () => {
  await using lab = await openLab()
  for (const headers of [
    {},
    { range: 'bytes=4-8' },
    { range: 'bytes=100-' },
    { 'if-none-match': `"${lab.hash}"` },
  ]) {
    const [get, head] = [await lab.get(headers), await lab.get(headers, '', 'HEAD')]
    const ofFile = ({ headers: all }: Response) =>
      [...all].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
    expect(head.status).toBe(get.status)
    expect(ofFile(head)).toEqual(ofFile(get))
    expect(await head.text()).toBe('')
    await get.text()
  }
})

test('UI-33 a version that is cached is not sent again, a range of it neither', async () => {
  await using lab = await openLab()
  const known = { 'if-none-match': `"${lab.hash}"` }
  for (const headers of [known, { ...known, range: 'bytes=0-1' }, { ...known, range: 'bytes=100-' }])
    expect((await lab.get(headers)).status).toBe(304)
  expect((await lab.get({ 'if-none-match': '"other"' })).status).toBe(200)
})

test.for([
  ['', 'file', 'file'],
  ['?name=', 'file', 'file'],
  ['?name=%00%1f%7f', 'file', 'file'],
  ['?name=/', 'file', 'file'],
  ['?name=..%2F..%2Fetc%2Fpasswd', '....etcpasswd', '....etcpasswd'],
  ['?name=C%3A%5Ca.txt', 'C:a.txt', 'C%3Aa.txt'],
  ['?name=a%22b.txt', 'a_b.txt', 'a%22b.txt'],
  ['?name=a%25b.txt', 'a_b.txt', 'a%25b.txt'],
  ['?name=a%0d%0aSet-Cookie%3A%20b', 'aSet-Cookie: b', 'aSet-Cookie%3A%20b'],
  ['?name=a%3B%20filename%3Db', 'a; filename=b', 'a%3B%20filename%3Db'],
  ["?name='()*!", "'()*!", '%27%28%29%2a!'],
  ['?name=%F0%9F%99%82', '__', '%F0%9F%99%82'],
  ['?name=%E2%80%AEgpj.exe', 'gpj.exe', 'gpj.exe'],
  ['?name=%FF', '_', '%EF%BF%BD'],
  ['?name=a&name=b', 'a', 'a'],
  ['?other=a', 'file', 'file'],
] as const)('SX-3 the name in %s becomes %j, without folders and controls', async ([query, plain, exact]) => {
  await using lab = await openLab()
  expect(await nameOf(lab, query)).toBe(`attachment; filename="${plain}"; filename*=UTF-8''${exact}`)
})

test('SX-3 a name of any text is one header of a file to save, with at most 255 characters', async () => {
  await using lab = await openLab()
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 400 }), async (name) => {
      const header = await nameOf(lab, `?name=${encodeURIComponent(name.toWellFormed())}`)
      const [, plain = '', exact = ''] =
        /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([\w.~!%-]+)$/.exec(header ?? '') ?? []
      expect(plain.length).toBeGreaterThan(0)
      expect(plain.length).toBeLessThanOrEqual(255)
      expect(plain).not.toMatch(/["\\/%]/)
      expect(decodeURIComponent(exact)).not.toMatch(/[/\\\p{Cc}]/u)
    }),
    { numRuns: 60 },
  )
})

test('SX-3 a long name is cut between characters', async () => {
  await using lab = await openLab()
  const header = await nameOf(lab, `?name=${'a'.repeat(254)}${encodeURIComponent('🙂')}`)
  expect(header).not.toContain('%EF%BF%BD')
})

test('AP-1 a hash in any other spelling is not found', async () => {
  await using lab = await openLab()
  const { path, hash } = lab
  expect(await lab.status(path)).toBe(200)
  for (const other of [
    `${path}/`,
    `${path}0`,
    path.slice(0, -1),
    path.replace(hash, hash.toUpperCase()),
    path.replace(hash, `%${hash.charCodeAt(0).toString(16)}${hash.slice(1)}`),
    `/api/v1//blobs/${hash}`,
    `/api/v1/blobs//${hash}`,
    `/api/v1/blobs/${hash};a=b`,
  ])
    expect(await lab.status(other), other).toBeGreaterThanOrEqual(400)
})
