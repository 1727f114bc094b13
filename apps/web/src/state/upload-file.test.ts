import { blobUrl } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isStored, uploadFile } from './upload-file.ts'

const HASH = 'a'.repeat(64)
const BUSY = { status: 503, body: null }

type Answer = { status: number; body: unknown }
type Request = { headers: Map<string, string>; body: Blob | null }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A server that answers each request in turn; null is a connection that is lost, `hang` one that stays open. */
function serve(...answers: (Answer | null | 'hang')[]) {
  const requests: Request[] = []
  let aborted = 0
  class FakeRequest {
    readonly upload: { onprogress?: (event: { loaded: number }) => void } = {}
    status = 0
    response: unknown = null
    responseType = ''
    onload = () => undefined
    onerror = () => undefined
    onabort = () => undefined
    onloadend = () => undefined
    private readonly headers = new Map<string, string>()
    private readonly opened: string[] = []

    open(method: string, path: string) {
      this.opened.push(method, path)
    }

    setRequestHeader(name: string, value: string) {
      this.headers.set(name, value)
    }

    abort() {
      aborted += 1
      this.onabort()
      this.onloadend()
    }

    send(body: Blob | null) {
      expect([...this.opened, this.responseType]).toEqual(['POST', '/api/v1/blobs', 'json'])
      requests.push({ headers: this.headers, body })
      const answer = answers.shift()
      if (answer === undefined) throw new Error('No request was expected.')
      if (answer === 'hang') return
      queueMicrotask(() => {
        if (answer === null) this.onerror()
        else {
          this.upload.onprogress?.({ loaded: body?.size ?? 0 })
          this.status = answer.status
          this.response = answer.body
          this.onload()
        }
        this.onloadend()
      })
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  return {
    requests,
    rest: answers,
    aborted: () => aborted,
    header: (name: string) => requests.map(({ headers }) => headers.get(name) ?? null),
  }
}

const has = (received: number): Answer => ({ status: 200, body: { received } })
const created: Answer = { status: 201, body: { hash: HASH } }
const refusal = (status: number, message: string): Answer => ({ status, body: { error: { message } } })

function start(content: string, stop = new AbortController()) {
  const report = { onProgress: vi.fn<(sent: number) => void>(), onWaiting: vi.fn() }
  const file = { id: 'upl_1', bytes: new Blob([content]), mediaType: 'text/plain' }
  const url = uploadFile(file, report, stop.signal)
  url.catch(() => undefined)
  return { url, report, stop, shares: () => report.onProgress.mock.calls.map(([share]) => share) }
}

test('UI-33 an upload first asks what has arrived, then sends the file, and ends in its address', async () => {
  const server = serve(has(0), created)
  const { url, shares } = start('twelve bytes')
  expect(await url).toBe(blobUrl(HASH))
  expect(server.header('content-range')).toEqual(['bytes */12', 'bytes 0-11/12'])
  expect(server.header('upload-id')).toEqual(['upl_1', 'upl_1'])
  expect(server.header('content-type')).toEqual(['text/plain', 'text/plain'])
  expect(server.header('x-palimpsest-client')).toEqual(['web', 'web'])
  expect(server.requests[0]?.body).toBeNull()
  expect(shares()).toEqual([1])
})

test('UI-33 a file that the server has already is not sent again', async () => {
  const server = serve(created)
  expect(await start('twelve bytes').url).toBe(blobUrl(HASH))
  expect(server.requests).toHaveLength(1)
})

test('UI-33 an upload that an earlier page began continues at the byte where it was', async () => {
  const server = serve(has(7), created)
  const { url, shares } = start('twelve bytes')
  await url
  expect(server.header('content-range')[1]).toBe('bytes 7-11/12')
  expect(await server.requests[1]?.body?.text()).toBe('bytes')
  expect(shares()).toEqual([1])
})

test('UI-33 whatever number the server names, at least the last byte is sent and no share exceeds 1', async () => {
  const lengths = fc.integer({ min: 1, max: 50 })
  const received = fc.integer({ min: 0, max: 200 })
  await fc.assert(
    fc.asyncProperty(lengths, received, async (length, count) => {
      const server = serve(has(count), created)
      const { url, shares } = start('x'.repeat(length))
      await url
      const from = Math.min(count, length - 1)
      expect(server.header('content-range')[1]).toBe(`bytes ${from}-${length - 1}/${length}`)
      expect(server.requests[1]?.body?.size).toBe(length - from)
      for (const share of shares()) expect(share > 0 && share <= 1).toBe(true)
    }),
  )
})

test('UI-33 an empty file is sent without a range, and is whole at once', async () => {
  const server = serve(has(0), created)
  const { url, shares } = start('')
  expect(await url).toBe(blobUrl(HASH))
  expect(server.header('content-range')).toEqual(['bytes */0', null])
  expect(shares()).toEqual([1])
})

test.for([
  ['the connection is lost', null],
  ['the server is busy', BUSY],
  ['another request of the same upload is still open', { status: 409, body: null }],
] satisfies [string, Answer | null][])(
  'UI-33 an upload waits while %s, and continues with the bytes that are missing',
  async ([_, failure]) => {
    const server = serve(has(0), failure, has(4), created)
    const { url, report } = start('twelve bytes')
    await vi.advanceTimersByTimeAsync(1_999)
    expect(report.onWaiting).toHaveBeenCalledOnce()
    expect(server.requests).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(await url).toBe(blobUrl(HASH))
    expect(server.header('content-range').slice(2)).toEqual(['bytes */12', 'bytes 4-11/12'])
  },
)

test('UI-33 an upload goes on at once when the browser is online again', async () => {
  const server = serve(null, has(0), created)
  const { url, report } = start('twelve bytes')
  await vi.advanceTimersByTimeAsync(0)
  expect(report.onWaiting).toHaveBeenCalledOnce()
  window.dispatchEvent(new Event('online'))
  expect(await url).toBe(blobUrl(HASH))
  expect(server.rest).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test('UI-33 an upload outlasts any number of lost connections', async () => {
  serve(...Array.from({ length: 200 }, () => null), has(0), created)
  const { url, report } = start('twelve bytes')
  await vi.advanceTimersByTimeAsync(200 * 2_000)
  expect(await url).toBe(blobUrl(HASH))
  expect(report.onWaiting).toHaveBeenCalledTimes(200)
})

test.for([400, 403, 404, 413, 415, 429])(
  'UI-33 a file that is refused with %i is not sent again, and the words are those of the server',
  async (status) => {
    const server = serve(has(0), refusal(status, 'This file is too large.'))
    await expect(start('twelve bytes').url).rejects.toThrow('This file is too large.')
    expect(server.requests).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
  },
)

test('UI-33 a file that is refused before it is sent does not leave the browser', async () => {
  const server = serve(refusal(413, 'This file is too large.'))
  await expect(start('twelve bytes').url).rejects.toThrow('This file is too large.')
  expect(server.requests.map(({ body }) => body)).toEqual([null])
})

test.for([[null], ['<html>'], [{ error: 'text' }], [{}]])(
  'UI-33 a refusal whose body is %o has no words, and ends the upload as well',
  async ([body]) => {
    serve({ status: 400, body })
    await expect(start('x').url).rejects.toThrow(/^$/)
  },
)

test('UI-33 an upload that is cancelled while it is sent ends its request', async () => {
  const server = serve(has(0), 'hang')
  const { url, stop } = start('twelve bytes')
  await vi.advanceTimersByTimeAsync(0)
  expect(server.requests).toHaveLength(2)
  stop.abort(new Error('Removed.'))
  await expect(url).rejects.toThrow('Removed.')
  expect(server.aborted()).toBe(1)
})

test('UI-33 an upload that is cancelled while it waits does not try again', async () => {
  const server = serve(null, 'hang')
  const { url, stop } = start('twelve bytes')
  await vi.advanceTimersByTimeAsync(1_000)
  stop.abort(new Error('Removed.'))
  await expect(url).rejects.toThrow('Removed.')
  expect(vi.getTimerCount()).toBe(0)
  expect(server.requests).toHaveLength(1)
})

test.for([
  [200, true],
  [206, true],
  [401, true],
  [404, false],
  [500, true],
] satisfies [number, boolean][])(
  'UI-33 a stored file is gone only when the server says so: %i',
  async ([status, stored]) => {
    const fetch = vi.fn((_url: string, _init: RequestInit) => Promise.resolve(new Response(null, { status })))
    vi.stubGlobal('fetch', fetch)
    expect(await isStored(blobUrl(HASH))).toBe(stored)
    expect(fetch.mock.calls).toEqual([[blobUrl(HASH), { method: 'HEAD' }]])
  },
)

test('UI-33 a file whose server is out of reach counts as stored', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await isStored(blobUrl(HASH))).toBe(true)
})
