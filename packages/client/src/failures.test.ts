import { TRPCClientError } from '@trpc/client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appCodeOf, isRefusal, isUnreachable } from './failures.ts'
import { refusal, unreachable } from './testing/fake-api.ts'

test.each([
  [399, false],
  [400, true],
  [401, true],
  [404, true],
  [409, true],
  [429, true],
  [499, true],
  [500, false],
  [503, false],
])('AP-5 an answer with the status %s is a refusal: %s', (status, isRefused) => {
  const error = refusal(status, 'ANY')
  expect([isRefusal(error), isUnreachable(error)]).toEqual([isRefused, false])
})

test('AP-1 the code of a failed call is the server’s, whatever the status', () => {
  for (const status of [400, 404, 500, 503]) expect(appCodeOf(refusal(status, 'LIMIT'))).toBe('LIMIT')
})

const answered = (data: unknown) => TRPCClientError.from({ error: { message: 'No.', code: -32_000, data } })

test.each([
  ['no data', undefined],
  ['null', null],
  ['a text', 'oops'],
  ['a number', 404],
  ['another shape', { status: 404, code: 'SESSION_NOT_FOUND' }],
  ['a status that is a text', { httpStatus: '404', appCode: 404 }],
])('AP-1 an answer with %s has no code and is no refusal', (_, data) => {
  const error = answered(data)
  expect([appCodeOf(error), isRefusal(error)]).toEqual([null, false])
})

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'SESSION_NOT_FOUND'],
  ['an error of the page', new TypeError('Failed to fetch')],
  ['an abort', new DOMException('Stopped', 'AbortError')],
  ['an object that looks like an answer', { data: { httpStatus: 404, appCode: 'SESSION_NOT_FOUND' } }],
])('AP-5 %s that is thrown is neither a refusal nor a missing server', (_, thrown) => {
  expect([isRefusal(thrown), isUnreachable(thrown), appCodeOf(thrown)]).toEqual([false, false, null])
})

test.each([
  [401, true, false],
  [403, true, false],
  [500, false, false],
  ['ECONNREFUSED', false, true],
  ['', false, true],
])('AP-5 an event source that ends with the code %s is a refusal: %s, out of reach: %s', (code, no, lost) => {
  const error = TRPCClientError.from(Object.assign(new Error('ended'), { code }))
  expect([isRefusal(error), isUnreachable(error)]).toEqual([no, lost])
})

test('AP-5 whatever a call fails with, it is at most one of a refusal and a missing server', () => {
  const data = fc.oneof(fc.anything(), fc.record({ httpStatus: fc.anything(), appCode: fc.anything() }))
  fc.assert(
    fc.property(data, fc.anything(), (given, code) => {
      const errors = [
        answered(given),
        TRPCClientError.from(Object.assign(new Error('ended'), { code })),
        unreachable(),
      ]
      for (const error of errors) {
        expect(isRefusal(error) && isUnreachable(error)).toBe(false)
        const appCode = appCodeOf(error)
        expect(appCode === null || typeof appCode === 'string').toBe(true)
      }
    }),
  )
})
