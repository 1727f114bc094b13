import {
  loadSoundStreams,
  recordingOf,
  WRITTEN_STREAMS_FOLDER,
} from '@palimpsest/testing/provider-streams.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import type { ScriptedReply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { openFormatLab, outlineOf } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'
import type { ErrorCode } from '../../domain/errors.ts'

type Refusal = {
  name: string
  status: number
  body: unknown
  headers?: Record<string, string>
  /** What the run ends with, and after how many tries of three. */
  code: ErrorCode
  tries: number
}

const openai = (message: string, type: string, code: string | null = null) => ({
  error: { message, type, param: null, code },
})
const anthropic = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
})
const google = (code: number, status: string, message: string, details: unknown[] = []) => ({
  error: { code, status, message, details },
})

const openaiRefusals: Refusal[] = [
  {
    name: 'a wrong key',
    status: 401,
    body: openai('Incorrect API key provided: sk-abc.', 'invalid_request_error', 'invalid_api_key'),
    code: 'PROVIDER_ERROR',
    tries: 1,
  },
  {
    name: 'a limit of requests',
    status: 429,
    body: openai('Rate limit reached for requests', 'requests', 'rate_limit_exceeded'),
    code: 'RATE_LIMITED',
    tries: 3,
  },
  {
    name: 'a quota that is used up',
    status: 429,
    body: openai('You exceeded your current quota', 'insufficient_quota', 'insufficient_quota'),
    code: 'PROVIDER_ERROR',
    tries: 1,
  },
  {
    name: 'a prompt that is too long',
    status: 400,
    body: openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
      'invalid_request_error',
      'context_length_exceeded',
    ),
    code: 'CONTEXT_EXHAUSTED',
    tries: 1,
  },
  {
    name: 'an unknown model',
    status: 404,
    body: openai('The model `x` does not exist', 'invalid_request_error', 'model_not_found'),
    code: 'PROVIDER_ERROR',
    tries: 1,
  },
  {
    name: 'a failure of its own',
    status: 500,
    body: openai('The server had an error', 'server_error'),
    code: 'PROVIDER_ERROR',
    tries: 3,
  },
]

const refusals: Record<string, Refusal[]> = {
  'openai-responses': openaiRefusals,
  'openai-chat': openaiRefusals,
  'openai-compatible-chat': [
    ...openaiRefusals,
    {
      name: 'a full window of llama.cpp',
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 9000,
          n_ctx: 4096,
        },
      },
      code: 'CONTEXT_EXHAUSTED',
      tries: 1,
    },
    {
      name: 'a full window of vLLM',
      status: 400,
      body: {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
        type: 'BadRequestError',
        code: 400,
      },
      code: 'CONTEXT_EXHAUSTED',
      tries: 1,
    },
    {
      name: 'a model that Ollama has not pulled',
      status: 404,
      body: { error: { message: 'model "x" not found, try pulling it first', type: 'api_error' } },
      code: 'PROVIDER_ERROR',
      tries: 1,
    },
    {
      name: 'an error that is a bare string',
      status: 400,
      body: { error: 'Unexpected endpoint or method.' },
      code: 'PROVIDER_ERROR',
      tries: 1,
    },
    {
      name: 'a detail of FastAPI',
      status: 422,
      body: { detail: [{ msg: 'field required' }] },
      code: 'PROVIDER_ERROR',
      tries: 1,
    },
  ],
  'anthropic-messages': [
    {
      name: 'a wrong key',
      status: 401,
      body: anthropic('authentication_error', 'invalid x-api-key'),
      code: 'PROVIDER_ERROR',
      tries: 1,
    },
    {
      name: 'a limit of requests',
      status: 429,
      body: anthropic('rate_limit_error', 'This request would exceed your rate limit'),
      code: 'RATE_LIMITED',
      tries: 3,
    },
    {
      name: 'too much to do',
      status: 529,
      body: anthropic('overloaded_error', 'Overloaded'),
      code: 'PROVIDER_ERROR',
      tries: 3,
    },
    {
      name: 'a prompt that is too long',
      status: 400,
      body: anthropic('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      code: 'CONTEXT_EXHAUSTED',
      tries: 1,
    },
    {
      name: 'a request that is too large',
      status: 413,
      body: anthropic('request_too_large', 'Request exceeds the maximum size'),
      code: 'CONTEXT_EXHAUSTED',
      tries: 1,
    },
    {
      name: 'a credit that is used up',
      status: 400,
      body: anthropic('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
      code: 'PROVIDER_ERROR',
      tries: 1,
    },
    {
      name: 'a failure of its own',
      status: 500,
      body: anthropic('api_error', 'Internal server error'),
      code: 'PROVIDER_ERROR',
      tries: 3,
    },
  ],
  'google-messages': [
    {
      name: 'a wrong key',
      status: 400,
      body: google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'),
      code: 'PROVIDER_ERROR',
      tries: 1,
    },
    {
      name: 'a limit of requests',
      status: 429,
      body: google(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan.', [
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2s' },
      ]),
      code: 'RATE_LIMITED',
      tries: 3,
    },
    {
      name: 'a prompt that is too long',
      status: 400,
      body: google(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      ),
      code: 'CONTEXT_EXHAUSTED',
      tries: 1,
    },
    {
      name: 'too much to do',
      status: 503,
      body: google(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
      code: 'PROVIDER_ERROR',
      tries: 3,
    },
    {
      name: 'a place it does not serve',
      status: 400,
      body: google(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'),
      code: 'PROVIDER_ERROR',
      tries: 1,
    },
  ],
}

/** Proxies and other servers that answer in a provider's place. */
const gateways: Refusal[] = [
  {
    name: 'a gateway’s page',
    status: 502,
    body: '<html><h1>502 Bad Gateway</h1></html>',
    code: 'PROVIDER_ERROR',
    tries: 3,
  },
  {
    name: 'a gateway that waited too long',
    status: 524,
    body: 'error code: 524',
    code: 'PROVIDER_ERROR',
    tries: 3,
  },
  { name: 'nothing but a status', status: 503, body: '', code: 'PROVIDER_ERROR', tries: 3 },
  { name: 'a limit without words', status: 429, body: '', code: 'RATE_LIMITED', tries: 3 },
  {
    name: 'a door that is shut',
    status: 403,
    body: '<html>Forbidden</html>',
    code: 'PROVIDER_ERROR',
    tries: 1,
  },
  { name: 'a wrong address', status: 404, body: '<html>Not Found</html>', code: 'PROVIDER_ERROR', tries: 1 },
]

const FORMATS = Object.keys(refusals)
const cases = FORMATS.flatMap((folder) =>
  [...(refusals[folder] ?? []), ...gateways].map((refusal) => ({ folder, ...refusal })),
)

function refuse({ status, body, headers }: Pick<Refusal, 'status' | 'body' | 'headers'>): ScriptedReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'text/html' : 'application/json'
  return { status, headers: { 'content-type': type, ...headers }, steps: text === '' ? [] : [{ send: text }] }
}

const sound = loadSoundStreams(WRITTEN_STREAMS_FOLDER)

function answerOf(folder: string): ScriptedReply {
  const stream = sound.find((each) => each.folder === folder)
  if (stream === undefined) throw new Error(`There is no sound stream of ${folder}`)
  return recordingOf(stream)
}

test.for(cases)(
  'RL-3 ST-4 $folder: $name ends as $code after $tries of three tries, and the next message works',
  async ({ folder, status, body, headers, code, tries }) => {
    await using lab = await openFormatLab(folder, { runs: { maxTries: 3 } })
    lab.provider.otherwise(refuse({ status, body, ...(headers && { headers }) }))
    const { id } = await lab.sessions.create({ title: 'Refused' })
    const { messages, chunks } = await lab.turn('Hi', id)
    expect(lab.provider.requests).toHaveLength(tries)
    expect(messages[1]?.metadata).toMatchObject({ finishReason: 'error', error: { code } })
    expect(messages[1]?.metadata?.error?.message).toMatch(/^[A-Z].*\S$/)
    expect(messages[1]).toEqual(await reduceBySdk(chunks))
    expect(JSON.stringify(messages)).not.toMatch(/127\.0\.0\.1|sk-abc|<html>|node_modules/)
    lab.provider.otherwise(answerOf(folder))
    const next = await lab.turn('Again', id)
    expect(next.messages.at(-1)?.metadata?.finishReason).not.toBe('error')
  },
)

test.for(FORMATS)('ST-4 %s: storms of failures end with the answer that comes after them', async (folder) => {
  await using lab = await openFormatLab(folder, { runs: { maxTries: 3 } })
  lab.provider.script(refuse({ status: 500, body: '' }), refuse({ status: 429, body: '' }), answerOf(folder))
  const { id } = await lab.sessions.create({ title: 'Stormy' })
  const { messages, chunks } = await lab.turn('Hi', id)
  expect(lab.provider.requests).toHaveLength(3)
  expect(messages[1]?.metadata).not.toHaveProperty('error')
  expect(outlineOf(messages[1] ?? { id: '', role: 'assistant', parts: [] })).not.toEqual([])
  expect(chunks.filter(({ type }) => type === 'start')).toHaveLength(1)
})

const odd = { 'content-type': 'text/html; charset=utf-8' }
const impostors: { name: string; reply: ScriptedReply }[] = [
  {
    name: 'a page instead of a stream',
    reply: { status: 200, headers: odd, steps: [{ send: '<html>Please log in</html>' }] },
  },
  {
    name: 'an empty answer',
    reply: { status: 200, headers: { 'content-type': 'text/event-stream' }, steps: [] },
  },
  {
    name: 'an error in JSON under a good status',
    reply: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      steps: [{ send: '{"error":{"message":"No"}}' }],
    },
  },
  {
    name: 'nothing but comments',
    reply: {
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      steps: [{ send: ': hello\n\n: still here\n\n' }],
    },
  },
]

test.for(FORMATS.flatMap((folder) => impostors.map((impostor) => ({ folder, ...impostor }))))(
  'RL-3 $folder: $name is never taken for a finished reply',
  async ({ folder, reply }) => {
    await using lab = await openFormatLab(folder, { runs: { maxTries: 2 } })
    lab.provider.script(reply, answerOf(folder))
    const { id } = await lab.sessions.create({ title: 'Odd' })
    const { messages } = await lab.turn('Hi', id)
    // Nothing had been shown, so that it was asked for once more.
    expect(lab.provider.requests).toHaveLength(2)
    expect(messages[1]?.metadata).not.toHaveProperty('error')
  },
)
