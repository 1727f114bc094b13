import { AppError, ERROR_CODES } from '@palimpsest/core/domain'
import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { toTrpcError, toWireError } from './errors.ts'

const statusOf = (code: (typeof ERROR_CODES)[number]) =>
  getHTTPStatusCodeFromError(toTrpcError(new AppError(code, 'Words.')))

test('SV-5 every code has a status and reaches the client, and only the server’s own failures are 5xx', () => {
  for (const code of ERROR_CODES) {
    expect(toWireError(toTrpcError(new AppError(code, 'Words.', { field: 'x' })))).toMatchObject({
      code,
      message: 'Words.',
      field: 'x',
    })
  }
  const ours = ERROR_CODES.filter((code) => statusOf(code) >= 500)
  expect(ours).toEqual(['PROVIDER_ERROR', 'STORE_ERROR', 'WORKER_OFFLINE', 'INTERNAL'])
})

test('AP-1 bad input is 400, unknown ids 404, busy and conflicts 409', () => {
  expect(statusOf('INVALID_INPUT')).toBe(400)
  expect([statusOf('SESSION_NOT_FOUND'), statusOf('MESSAGE_NOT_FOUND'), statusOf('MODEL_NOT_FOUND')]).toEqual(
    [404, 404, 404],
  )
  expect([statusOf('SESSION_BUSY'), statusOf('CONFLICT'), statusOf('SESSION_ARCHIVED')]).toEqual([
    409, 409, 409,
  ])
})

test('AP-1 an unexpected error exposes nothing', () => {
  const wire = toWireError(toTrpcError(new Error('SELECT secret FROM /var/lib/keys')))
  expect(wire).toMatchObject({ code: 'INTERNAL', message: 'Something went wrong inside the server.' })
})

test('AP-1 an input error names the field at fault, through unions too', () => {
  const schema = z.strictObject({
    parts: z.array(
      z.discriminatedUnion('type', [z.strictObject({ type: z.literal('text'), text: z.string() })]),
    ),
    ref: z.union([z.strictObject({ a: z.strictObject({ deep: z.number() }) }), z.number()]).optional(),
  })
  const fieldOf = (input: unknown) => {
    const { error } = schema.safeParse(input)
    return toWireError(new TRPCError({ code: 'BAD_REQUEST', cause: error })).field
  }
  expect(fieldOf({ parts: [{ type: 'text', text: 5 }] })).toBe('parts.0.text')
  expect(fieldOf({ parts: [{ type: 'image' }] })).toBe('parts.0.type')
  expect(fieldOf({ parts: [], extra: 1 })).toBe('extra')
  expect(fieldOf({ parts: [], ref: { a: { deep: 'x' } } })).toBe('ref.a.deep')
  expect(fieldOf('text')).toBe('input')
})

test('AP-1 errors of tRPC itself have a code and a field too', () => {
  const codes = [
    'PARSE_ERROR',
    'NOT_FOUND',
    'METHOD_NOT_SUPPORTED',
    'PAYLOAD_TOO_LARGE',
    'UNPROCESSABLE_CONTENT',
  ] as const
  for (const code of codes) {
    const wire = toWireError(new TRPCError({ code, message: 'internal words' }))
    expect(wire).toMatchObject({ code: 'INVALID_INPUT', field: expect.any(String) })
    expect(wire.message).not.toContain('internal words')
  }
})

test('AP-1 input that is not JSON is reported as such, without the parser’s message', () => {
  const cause = new SyntaxError('Unexpected token s in "sk-secret"')
  const wire = toWireError(new TRPCError({ code: 'BAD_REQUEST', message: cause.message, cause }))
  expect(wire).toMatchObject({
    code: 'INVALID_INPUT',
    field: 'input',
    message: 'The input is not valid JSON.',
  })
})
