import { expect, test } from 'vitest'
import { redactingFetch } from './redacting-fetch.ts'

const answering = (status: number, body: string): typeof globalThis.fetch => {
  return () =>
    Promise.resolve(new Response(body, { status, headers: { 'content-length': '1', 'retry-after': '3' } }))
}

test('MO-6 every mention of the key is taken out of a refusal, and its headers stay', async () => {
  const response = await redactingFetch(answering(401, 'no: k-1, k-1!'), 'k-1')('http://127.0.0.1')
  expect(await response.text()).toBe('no: [removed], [removed]!')
  expect(response.status).toBe(401)
  expect(response.headers.get('retry-after')).toBe('3')
  expect(response.headers.has('content-length')).toBe(false)
})

test('MO-6 an answer that is no refusal streams through untouched', async () => {
  const original = new Response('k-1 is a fine name')
  const response = await redactingFetch(() => Promise.resolve(original), 'k-1')('http://127.0.0.1')
  expect(response).toBe(original)
})
