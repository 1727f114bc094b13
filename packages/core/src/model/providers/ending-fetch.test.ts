import { expect, test } from 'vitest'
import { endingFetch } from './ending-fetch.ts'

type Body = ConstructorParameters<typeof Response>[0]

const answering = (body: Body, type: string, status = 200): typeof globalThis.fetch => {
  const headers = { 'content-type': type, 'x-request-id': 'r-1' }
  return endingFetch(() => Promise.resolve(new Response(body, { status, headers })))
}

test('RL-5 the last event of a stream is completed, and the bytes before it are not changed', async () => {
  const response = await answering('data: 1\n\ndata: 2', 'text/event-stream')('http://127.0.0.1')
  expect(response.headers.get('x-request-id')).toBe('r-1')
  expect(await response.text()).toBe('data: 1\n\ndata: 2\n\n')
})

test('RL-5 a response that is no stream is not changed: JSON, a refusal, and an answer without a body', async () => {
  expect(await (await answering('{}', 'application/json')('http://127.0.0.1')).text()).toBe('{}')
  expect(await (await answering('no', 'text/event-stream', 503)('http://127.0.0.1')).text()).toBe('no')
  expect((await answering(null, 'text/event-stream')('http://127.0.0.1')).body).toBeNull()
})

test('RL-3 a stream that breaks off is broken, not ended', async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull(out) {
      out.error(new TypeError('terminated'))
    },
  })
  const response = await answering(broken, 'text/event-stream')('http://127.0.0.1')
  await expect(response.text()).rejects.toThrow('terminated')
})

test('AB-2 a reader that stops reading stops the source', async () => {
  const stopped = Promise.withResolvers<unknown>()
  const endless = new ReadableStream<Uint8Array>({
    pull: (out) => out.enqueue(new Uint8Array([58, 10])),
    cancel: (reason) => stopped.resolve(reason),
  })
  const response = await answering(endless, 'text/event-stream')('http://127.0.0.1')
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel('enough')
  expect(await stopped.promise).toBe('enough')
})
