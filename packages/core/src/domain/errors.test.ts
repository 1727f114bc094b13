import { expect, test } from 'vitest'
import { AppError, ERROR_CODES, toAppError } from './errors.ts'

test('SV-5 an error of the application stays as it is', () => {
  const error = new AppError('CONFLICT', 'Taken', { field: 'id' })
  expect(toAppError(error)).toBe(error)
  expect(ERROR_CODES).toContain(error.code)
})

test('SV-5 anything else becomes an error that reveals no internals', () => {
  const inside = new Error('SELECT * FROM chat_parts at /srv/db.ts')
  for (const thrown of [inside, 'text', null, undefined, { code: 'CONFLICT' }]) {
    const error = toAppError(thrown, 'STORE_ERROR')
    expect(error).toMatchObject({ code: 'STORE_ERROR', message: 'Something went wrong inside the server.' })
    expect(error.field).toBeUndefined()
  }
  expect(toAppError(inside).cause).toBe(inside)
})
