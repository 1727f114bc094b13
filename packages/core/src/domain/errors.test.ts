import { expect, test } from 'vitest'
import { AppError, ERROR_CODES, isServerFault, levelOf, toAppError } from './errors.ts'

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

test('SV-5 a failure of this server is logged as an error, and a refusal of what was asked as a warning', () => {
  const faults = ERROR_CODES.filter((code) => isServerFault(new AppError(code, 'No')))
  expect(faults.toSorted()).toEqual(['INTERNAL', 'STORE_ERROR'])
  expect(isServerFault(new Error('no'))).toBe(true)
  for (const code of ERROR_CODES)
    expect(levelOf(new AppError(code, 'No'))).toBe(faults.includes(code) ? 'error' : 'warn')
  expect(levelOf('thrown')).toBe('error')
})
