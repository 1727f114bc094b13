import { expect, test } from 'vitest'
import { createLogSecrets } from './log-secrets.ts'
import { createLogger } from './logger.ts'

const CANARY = 'canary "quoted" 4f1b9a'

function openLog(level: 'trace' | 'warn' = 'trace') {
  const lines: string[] = []
  const logger = createLogger({
    level,
    secrets: createLogSecrets([CANARY]),
    destination: { write: (line) => void lines.push(line) },
  })
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') }
}

test('OB-3 a line is one JSON object with level, time, message and the given ids', () => {
  const { logger, last } = openLog()
  logger.info({ sessionId: 'ses_1', runId: 'run_1' }, 'A run ended')
  expect(last()).toMatchObject({ level: 30, sessionId: 'ses_1', runId: 'run_1', msg: 'A run ended' })
  expect(last().time).toEqual(expect.any(Number))
})

test('OB-3 lines below the level are not written', () => {
  const { logger, lines } = openLog('warn')
  logger.info({}, 'quiet')
  logger.error({}, 'loud')
  expect(lines).toHaveLength(1)
})

test('SX-5 no log line contains a secret, whatever value carries it', () => {
  const { logger, lines } = openLog()
  logger.info({ url: `http://host/?key=${encodeURIComponent(CANARY)}` }, 'x')
  logger.info({ nested: { list: [CANARY] } }, CANARY)
  logger.error({ err: new Error(`refused ${CANARY}`, { cause: new Error(CANARY) }) }, 'x')
  expect(lines.join('')).not.toMatch(/canary/)
  expect(lines.join('')).toContain('[removed]')
})

test('SX-5 a value that is added while the server runs is in no later line', () => {
  const secrets = createLogSecrets([CANARY])
  const lines: string[] = []
  const logger = createLogger({
    level: 'trace',
    secrets,
    destination: { write: (line) => void lines.push(line) },
  })
  secrets.add(['entered-key-1', 'short'])
  for (let at = 2; at < 700; at++) secrets.add([`entered-key-${at}`])
  logger.info({ key: 'entered-key-699', other: CANARY, word: 'short' }, 'x')
  expect(lines.join('')).not.toMatch(/entered-key|canary/)
  expect(lines.join('')).toContain('short')
})

test('SX-5 headers and keys with secret names are not logged either', () => {
  const { logger, lines } = openLog()
  logger.info(
    { authorization: 'Bearer other', headers: { cookie: 'session=other' }, provider: { apiKey: 'other' } },
    'x',
  )
  expect(lines.join('')).not.toContain('other')
})

test('OB-3 message and causes of an error are logged, never the provider’s request and response', () => {
  const { logger, last, lines } = openLog()
  const cause = Object.assign(new Error('provider said no'), {
    requestBodyValues: { messages: ['private words'] },
  })
  logger.error({ error: new Error('The step failed', { cause }) }, 'x')
  expect(last().error).toMatchObject({ message: 'The step failed', cause: { message: 'provider said no' } })
  expect(lines.join('')).not.toContain('private words')
})

test('OB-3 unreadable output of a provider is not quoted, neither in messages nor in stacks', () => {
  const { logger, last, lines } = openLog()
  const unread = (cause: unknown) =>
    new Error(`JSON parsing failed: Text: data: $& private words\n.\n${cause}`)
  for (const text of [
    'private words',
    `{"a": private words, ${'b'.repeat(60)}}`,
    `${'[0,'.repeat(40)}private words`,
  ]) {
    try {
      JSON.parse(text)
    } catch (cause) {
      logger.error({ error: Object.assign(unread(cause), { cause }) }, 'x')
    }
  }
  logger.error({ error: new Error('Type validation failed: Value: {"delta":"private words"}.') }, 'x')
  expect(lines).toHaveLength(4)
  expect(lines.join('')).not.toContain('private')
  expect(last().error.message).toBe('Type validation failed: ')
  expect(last().error.stack).toContain('logger.test.ts')
})

test('OB-3 an error that is its own cause is logged once', () => {
  const { logger, last } = openLog()
  const error = new Error('round')
  error.cause = error
  logger.error({ err: error }, 'x')
  expect(last().err.message).toBe('round')
})
