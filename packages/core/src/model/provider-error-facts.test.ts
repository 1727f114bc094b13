import { APICallError } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readProviderError } from './provider-error-facts.ts'

test('ST-4 the facts of an error are found however deep they lie', () => {
  const network = Object.assign(new Error('socket closed'), { code: 'ECONNRESET' })
  const call = new APICallError({
    message: 'Cannot connect',
    url: 'http://127.0.0.1',
    requestBodyValues: {},
    statusCode: 503,
    responseHeaders: { 'Retry-After': '1' },
    responseBody: '{"error":{"type":"busy"}}',
    cause: network,
  })
  const facts = readProviderError(Object.assign(new Error('Gave up'), { lastError: call }))
  expect(facts).toMatchObject({
    names: ['Error', 'AI_APICallError', 'Error'],
    codes: ['ECONNRESET'],
    messages: ['Gave up', 'Cannot connect', 'socket closed'],
    status: 503,
    headers: { 'retry-after': '1' },
    retryable: true,
  })
  expect(facts.text).toContain('busy')
})

test('ST-4 a status is read from a number, from a string and from a code', () => {
  expect(readProviderError({ statusCode: 429 }).status).toBe(429)
  expect(readProviderError({ status: '503' }).status).toBe(503)
  expect(readProviderError({ error: { code: 529 } }).status).toBe(529)
  expect(readProviderError({ code: 200 }).status).toBeUndefined()
})

test('ST-4 an error that is its own cause is read once more than enough, and ends', () => {
  const circular: { message: string; cause?: unknown } = { message: 'round and round' }
  circular.cause = circular
  expect(readProviderError(circular).messages.length).toBeLessThan(20)
})

test('ST-4 any thrown value can be read', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withDate: true, withMap: true }), (thrown) => {
      expect(readProviderError(thrown).text).toBeTypeOf('string')
    }),
  )
})
