import { APICallError, InvalidResponseDataError, JSONParseError, LoadAPIKeyError, RetryError } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classifyProviderError, isRetryable } from './provider-error.ts'

const NOW = Date.UTC(2026, 10, 1)

function callError(
  statusCode: number | undefined,
  message: string,
  rest: Partial<ConstructorParameters<typeof APICallError>[0]> = {},
) {
  return new APICallError({
    url: 'https://api.example.com/v1/chat?key=secret-in-query',
    requestBodyValues: {},
    message,
    ...(statusCode !== undefined && { statusCode }),
    ...rest,
  })
}

const kindOf = (error: unknown) => classifyProviderError(error, NOW).kind

test('ST-4 429, 5xx and overload are worth another try', () => {
  expect(kindOf(callError(429, 'Slow down'))).toBe('rate-limit')
  for (const status of [408, 409, 500, 502, 503, 504, 529]) {
    expect(kindOf(callError(status, 'Trouble'))).toBe('transient')
  }
  expect(classifyProviderError(callError(529, 'Overloaded'), NOW).message).toContain('overloaded')
})

test('ST-4 an error event inside the stream is classified like a status', () => {
  expect(kindOf({ type: 'overloaded_error', message: 'Overloaded' })).toBe('transient')
  expect(kindOf({ type: 'error', error: { type: 'api_error', message: 'Internal server error' } })).toBe(
    'transient',
  )
  expect(kindOf({ message: 'Too fast', type: 'rate_limit_error' })).toBe('rate-limit')
  expect(kindOf({ message: 'Model is busy', statusCode: 503 })).toBe('transient')
  expect(kindOf({ message: 'Model is busy', status_code: 503 })).toBe('transient')
  expect(kindOf({ message: 'Busy', is_retryable: true })).toBe('transient')
  expect(kindOf({ message: 'Service unavailable' })).toBe('transient')
  expect(kindOf({ error: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' } })).toBe(
    'transient',
  )
})

test('ST-4 a network failure and a timeout are worth another try', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' })
  expect(kindOf(callError(undefined, 'Cannot connect to API', { cause: refused, isRetryable: true }))).toBe(
    'transient',
  )
  expect(
    kindOf(
      new TypeError('terminated', {
        cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
      }),
    ),
  ).toBe('transient')
  expect(kindOf(new DOMException('Chunk timeout of 30000ms exceeded', 'TimeoutError'))).toBe('transient')
  expect(kindOf(new RetryError({ message: 'Failed', reason: 'maxRetriesExceeded', errors: [refused] }))).toBe(
    'transient',
  )
})

test('ST-4 a provider that falls silent is worth another try', () => {
  const silent = Object.assign(new Error('The provider sent nothing for 60 s'), { name: 'StalledError' })
  expect(classifyProviderError(silent, NOW)).toEqual({
    kind: 'transient',
    message: 'The provider did not answer in time.',
  })
})

test('ST-4 an unreadable or broken answer is worth another try', () => {
  expect(kindOf(new Error('The stream ended without an answer'))).toBe('transient')
  expect(kindOf(new JSONParseError({ text: '{', cause: new Error('Unexpected end') }))).toBe('transient')
  expect(
    kindOf(
      new InvalidResponseDataError({
        data: undefined,
        message: 'Response stream ended without a finish reason.',
      }),
    ),
  ).toBe('transient')
})

test('ST-4 a wait that the provider names comes along', () => {
  const headers = { 'Retry-After': '3' }
  expect(classifyProviderError(callError(429, 'Slow', { responseHeaders: headers }), NOW).retryAfterMs).toBe(
    3000,
  )
  expect(
    classifyProviderError(callError(503, 'Busy', { responseHeaders: { 'retry-after-ms': '40' } }), NOW)
      .retryAfterMs,
  ).toBe(40)
  expect(classifyProviderError(callError(400, 'No', { responseHeaders: headers }), NOW)).not.toHaveProperty(
    'retryAfterMs',
  )
})

test('ST-4 a prompt that is too long is a context overflow in every provider’s wording', () => {
  const wordings = [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    'prompt is too long: 210000 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'the request exceeds the available context size, try increasing it',
    'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it',
    'input length exceeds the context length',
    'prompt too long; exceeded max context length by 4 tokens',
    'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
    'The engine prompt length 1319 exceeds the max_model_len 1024. Please reduce prompt.',
    'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
  ]
  for (const wording of wordings) expect(kindOf(callError(400, wording)), wording).toBe('context-overflow')
  expect(kindOf({ code: 'context_length_exceeded', message: 'Too long' })).toBe('context-overflow')
  const coded = callError(400, 'Bad', {
    responseBody: '{"error":{"type":"exceed_context_size_error","n_ctx":4096}}',
  })
  expect(kindOf(coded)).toBe('context-overflow')
})

test('ST-4 a limit of tokens per minute is a rate limit, not an overflow', () => {
  expect(
    kindOf(callError(429, 'Request too large on tokens per min: please reduce the length of the messages')),
  ).toBe('rate-limit')
})

test('ST-4 keys, quotas and bad requests are not tried again', () => {
  expect(kindOf(callError(401, 'Incorrect API key provided: sk-abc'))).toBe('auth')
  expect(kindOf(callError(400, 'API key not valid. Please pass a valid API key.'))).toBe('auth')
  expect(kindOf(new LoadAPIKeyError({ message: 'Missing' }))).toBe('auth')
  expect(
    kindOf(
      callError(429, 'You exceeded your current quota', { data: { error: { code: 'insufficient_quota' } } }),
    ),
  ).toBe('fatal')
  expect(kindOf(callError(404, 'The model `x` does not exist'))).toBe('invalid-request')
  for (const kind of ['auth', 'fatal', 'invalid-request', 'context-overflow', 'aborted'] as const) {
    expect(isRetryable(kind)).toBe(false)
  }
})

test('AB-2 an abort is distinguished from a failure', () => {
  expect(kindOf(new DOMException('This operation was aborted', 'AbortError'))).toBe('aborted')
})

test('MO-6 no key and no address reaches the message', () => {
  const words =
    'Bad request to https://user:pw@api.example.com/v1?key=AIzaSyA1234567890abcdef with sk-proj-abcDEF123456 and Bearer tok_1 (api_key=hunter22)'
  const { message } = classifyProviderError(callError(400, words), NOW)
  expect(message).toContain('https://api.example.com/v1')
  for (const secret of ['AIza', 'sk-proj', 'tok_1', 'hunter22', 'user:pw'])
    expect(message).not.toContain(secret)
})

test('ST-4 any thrown value gets a kind and a message of bounded length', () => {
  fc.assert(
    fc.property(fc.anything(), (thrown) => {
      const { message } = classifyProviderError(thrown, NOW)
      expect(message.length).toBeGreaterThan(5)
      expect(message.length).toBeLessThan(400)
    }),
  )
})
