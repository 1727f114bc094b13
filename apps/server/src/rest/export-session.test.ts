import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { SessionService } from '@palimpsest/core'
import { AppError } from '@palimpsest/core/domain'
import { expect, test, vi } from 'vitest'
import { listen, portOf } from '../listen.ts'
import { exportSession } from './export-session.ts'

type Rows = () => AsyncGenerator<string>

/** A server whose only export has these rows, and the state of that export. */
async function serve(rows: Rows) {
  const ended = Promise.withResolvers<unknown>()
  const asked: unknown[] = []
  const responses: ServerResponse[] = []
  const history = {
    export(input: unknown) {
      asked.push(input)
      return rows()
    },
  }
  // An export calls no other method of the service.
  const sessions = { history } as unknown as SessionService
  const http = createServer((request, response) => {
    responses.push(response)
    vi.spyOn(response, 'write')
    vi.spyOn(response, 'setTimeout')
    exportSession(sessions, 'talk', request, response).then(ended.resolve, (error: unknown) => {
      ended.resolve(error)
      response.destroy()
    })
  })
  await listen(http, { host: '127.0.0.1', port: 0 })
  return {
    url: `http://127.0.0.1:${portOf(http)}/api/v1/sessions/talk/export`,
    asked,
    ended: ended.promise,
    /** Characters of each chunk that was sent. */
    get pieces() {
      return responses.flatMap((response) =>
        vi.mocked(response.write).mock.calls.map(([piece]) => String(piece).length),
      )
    },
    get stallMs() {
      return responses.flatMap((response) => vi.mocked(response.setTimeout).mock.calls.map(([ms]) => ms))
    },
    async [Symbol.asyncDispose]() {
      const closed = once(http, 'close')
      http.close()
      http.closeAllConnections()
      await closed
    },
  }
}

async function* lines(count: number, length: number): AsyncGenerator<string> {
  for (let row = 0; row < count; row++) yield `${'x'.repeat(length - 1)}\n`
}

test('OB-1 small rows are sent together, and a large one in one piece', async () => {
  await using small = await serve(() => lines(1000, 500))
  expect(await (await fetch(small.url)).text()).toHaveLength(500_000)
  expect(small.pieces).toHaveLength(8)
  await using large = await serve(() => lines(3, 200_000))
  expect(await (await fetch(large.url)).text()).toHaveLength(600_000)
  expect(large.pieces).toEqual([200_000, 200_000, 200_000])
})

test('OB-1 SX-3 the file has the name that the URL gives it, as one header', async () => {
  await using server = await serve(() => lines(1, 10))
  const answer = await fetch(`${server.url}?name=${encodeURIComponent('The “sea”/a\nb.jsonl')}`)
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="The _sea_ab.jsonl"; filename*=UTF-8''The%20%E2%80%9Csea%E2%80%9Dab.jsonl`,
  )
  expect(server.asked).toHaveLength(1)
})

test('OB-1 the format is that of the URL, lines by default, and the core receives no other', async () => {
  await using server = await serve(() => lines(1, 10))
  const types = [undefined, 'json', 'jsonl'].map(async (format) => {
    const answer = await fetch(format === undefined ? server.url : `${server.url}?format=${format}`)
    return [answer.headers.get('content-type'), answer.headers.get('content-disposition')]
  })
  expect(await Promise.all(types)).toEqual([
    ['application/x-ndjson; charset=utf-8', `attachment; filename="talk.jsonl"; filename*=UTF-8''talk.jsonl`],
    ['application/json', `attachment; filename="talk.json"; filename*=UTF-8''talk.json`],
    ['application/x-ndjson; charset=utf-8', `attachment; filename="talk.jsonl"; filename*=UTF-8''talk.jsonl`],
  ])
  expect(server.asked).toHaveLength(3)
  await fetch(`${server.url}?format=xml`).catch(() => null)
  await fetch(`${server.url}?format=json&format=xml&sessionId=other`).catch(() => null)
  expect(server.asked.slice(3)).toEqual([])
})

test('OB-1 a failure before the first row is an error answer', async () => {
  await using server = await serve(async function* () {
    await Promise.resolve()
    yield* []
    throw new AppError('SESSION_NOT_FOUND', 'There is no such session.')
  })
  await fetch(server.url).catch(() => null)
  expect(await server.ended).toMatchObject({ code: 'SESSION_NOT_FOUND' })
  expect(server.pieces).toEqual([])
})

test('OB-1 a reader that disconnects ends the reading of rows, and is no failure', async () => {
  let closed = false
  await using server = await serve(async function* () {
    try {
      for (;;) yield 'x'.repeat(70_000)
    } finally {
      closed = true
    }
  })
  const leaving = new AbortController()
  const { body } = await fetch(server.url, { signal: leaving.signal })
  await body?.getReader().read()
  leaving.abort()
  expect(await server.ended).toBeUndefined()
  expect(closed).toBe(true)
})

test('OB-1 the server waits a minute for a reader that reads nothing, as the page of limits says', async () => {
  await using server = await serve(() => lines(1, 10))
  await (await fetch(server.url)).text()
  expect(server.stallMs).toEqual([60_000])
})
