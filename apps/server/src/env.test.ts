import { AppError } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { readEnv } from './env.ts'

test('CF-1 an empty environment gives a server on loopback, port 3000, with a file in ./data', () => {
  const env = readEnv({ PORT: '', PALIMPSEST_TOKEN: ' ' })
  expect(env).toMatchObject({ PORT: 3000, HOST: '127.0.0.1', DATABASE_URL: 'file:./data/palimpsest.db' })
  expect(env.PALIMPSEST_TOKEN).toBeUndefined()
})

test('CF-1 other variables are ignored', () => {
  expect(readEnv({ HOME: '/home/someone', NODE_ENV: 'production' }).PORT).toBe(3000)
})

test.each([
  ['PORT', 'eighty', 'a number from 0 to 65535'],
  ['PORT', '70000', 'a number from 0 to 65535'],
  ['LOG_LEVEL', 'loud', 'debug'],
  ['PALIMPSEST_WEB', 'maybe', 'on or off'],
  ['OPENAI_BASE_URL', 'ftp://models', 'http'],
  ['PALIMPSEST_TOKEN', 'two words', 'without spaces'],
])('CF-1 an error names the variable and what it takes (%s=%s)', (key, value, takes) => {
  const failure = errorOf(() => readEnv({ [key]: value }))
  expect(failure).toMatchObject({ code: 'INVALID_INPUT', field: key })
  expect(failure.message).toContain(key)
  expect(failure.message).toContain(takes)
  expect(failure.message).not.toContain(value)
})

test('CF-1 a list of hosts is split and trimmed', () => {
  expect(
    readEnv({ PALIMPSEST_ALLOWED_HOSTS: 'chat.example, Other.example ,' }).PALIMPSEST_ALLOWED_HOSTS,
  ).toEqual(['chat.example', 'other.example'])
})

function errorOf(call: () => unknown): AppError {
  try {
    call()
  } catch (error) {
    if (error instanceof AppError) return error
  }
  throw new Error('It did not fail as it does.')
}
