import { AppError } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEnv } from './env.ts'

const good: Record<string, [string, unknown][]> = {
  PORT: [
    ['0', 0],
    ['3000', 3000],
    ['65535', 65_535],
  ],
  PALIMPSEST_WEB: [
    ['on', true],
    ['off', false],
    ['1', true],
    ['0', false],
    ['true', true],
    ['false', false],
  ],
  PALIMPSEST_DEV: [['on', true]],
  PALIMPSEST_DISCOVER: [['off', false]],
  PALIMPSEST_SECRET_KEY: [['ab'.repeat(32), Buffer.alloc(32, 0xab)]],
  PALIMPSEST_DEMO_SPEED: [
    ['0.5', 0.5],
    ['1000', 1000],
  ],
  PALIMPSEST_RATE_LIMIT: [
    ['0', 0],
    ['10000000', 10_000_000],
  ],
  PALIMPSEST_GRACE_MS: [['600000', 600_000]],
  PALIMPSEST_TOKEN: [['a-token/of+some=length!', 'a-token/of+some=length!']],
  LOG_LEVEL: [['silent', 'silent']],
  OPENAI_API_KEY: [[' a key\n', 'a key']],
  OPENAI_BASE_URL: [['http://127.0.0.1:9/v1', 'http://127.0.0.1:9/v1']],
  ANTHROPIC_BASE_URL: [['https://models.example/', 'https://models.example/']],
  PALIMPSEST_ALLOWED_HOSTS: [
    ['A.example,b.example', ['a.example', 'b.example']],
    [' , ,', []],
  ],
}

const bad: Record<string, string[]> = {
  PORT: ['-1', '65536', '3000.5', '0x50', 'http', '1e3', ' 3000x'],
  PALIMPSEST_WEB: ['yes', 'ON ', '2', 'null'],
  PALIMPSEST_DEV: ['perhaps'],
  PALIMPSEST_DISCOVER: ['never'],
  PALIMPSEST_SECRET_KEY: ['a word', 'ab'.repeat(31), 'q'.repeat(44)],
  PALIMPSEST_DEMO_SPEED: ['0', '-1', '1001', 'fast', '1.', 'NaN', 'Infinity'],
  PALIMPSEST_RATE_LIMIT: ['10000001', '-5', 'many'],
  PALIMPSEST_GRACE_MS: ['600001', '1.5', 'long'],
  PALIMPSEST_TOKEN: ['two words', 'tab\tinside', 'ümlaut', 'line\nbreak'],
  LOG_LEVEL: ['verbose', 'INFO'],
  OPENAI_API_KEY: ['line\nbreak', 'a\u0007bell'],
  ANTHROPIC_API_KEY: ['a\u007fdelete'],
  GOOGLE_GENERATIVE_AI_API_KEY: ['a\u2019quote'],
  OPENAI_BASE_URL: ['models.example', 'ftp://models.example', 'file:///etc/passwd'],
  ANTHROPIC_BASE_URL: ['//models.example', 'javascript:alert(1)'],
}

const cases = <T>(table: Record<string, T[]>) =>
  Object.entries(table).flatMap(([key, values]) => values.map((value) => ({ key, value })))

test.for(cases(good))('CF-1 $key takes $value', ({ key, value: [written, meant] }) => {
  expect(readEnv({ [key]: written })).toMatchObject({ [key]: meant })
})

test.for(cases(bad))('CF-1 $key refuses $value, and the error names its valid values', ({ key, value }) => {
  const refusal = refusalOf({ [key]: value })
  expect(refusal).toMatchObject({ code: 'INVALID_INPUT', field: key })
  expect(refusal.message).toContain(`${key}: takes `)
})

test('CF-1 every one of several wrong variables is reported', () => {
  const { message } = refusalOf({ PORT: 'x', LOG_LEVEL: 'x', PALIMPSEST_WEB: 'x' })
  for (const key of ['PORT', 'LOG_LEVEL', 'PALIMPSEST_WEB']) expect(message).toContain(`${key}: `)
})

test('CF-1 an empty variable counts as unset', () => {
  const unset = readEnv({})
  for (const key of [...Object.keys(good), 'HOST', 'DATABASE_URL', 'OPENAI_API_KEY']) {
    for (const empty of ['', ' ', '\t']) expect(readEnv({ [key]: empty }), key).toEqual(unset)
  }
})

test('CF-1 any value of a variable is accepted or refused by its name, and a secret is never repeated', () => {
  const keys = [...Object.keys(good), 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY']
  fc.assert(
    fc.property(fc.constantFrom(...keys), fc.string({ unit: 'binary', minLength: 12 }), (key, value) => {
      try {
        readEnv({ [key]: value })
      } catch (error) {
        expect(error).toMatchObject({ code: 'INVALID_INPUT', field: key })
        expect(String(error)).not.toContain(value)
      }
    }),
  )
})

function refusalOf(environment: Record<string, string>): AppError {
  try {
    readEnv(environment)
  } catch (error) {
    if (error instanceof AppError) return error
  }
  throw new Error('It was accepted.')
}
