import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { generateText } from 'ai'
import { expect, test } from 'vitest'
import type { ProviderKind } from '../../domain/model/provider.ts'
import { PROVIDER_LIMITS } from '../../domain/model/provider-limits.ts'
import { systemClock } from '../../live/system-clock.ts'
import { classifyProviderError } from '../provider-error.ts'
import { createLocalDiscovery } from './local-discovery.ts'
import { LOCAL_SERVERS } from './local-servers.ts'
import { type Connection, openModel } from './open-model.ts'

const CANARY = 'canary 3f9c1d+/"key'
const HEADER_CANARY = 'Bearer header-canary-77aa'

async function serve(answer: RequestListener) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    request.resume()
    request.once('end', () => answer(request, response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** How a call ends that asks for no stream. */
async function failureOf(connection: Partial<Connection>) {
  const opened = openModel({ kind: 'openai-compatible', providerId: 'p', ...connection }, 'm1', systemClock)
  try {
    const { text } = await generateText({ model: opened.model, prompt: 'hi', maxRetries: 0 })
    return { kind: 'answered', message: text, error: null }
  } catch (error) {
    return { ...classifyProviderError(error, 0, opened.redact), error }
  }
}

const KINDS: readonly ProviderKind[] = ['openai-compatible', 'openai', 'anthropic', 'google']
const redirects = [301, 302, 303, 307, 308].flatMap((status) => KINDS.map((kind) => ({ status, kind })))

test.for(redirects)(
  'SX-10 a redirect $status of $kind is not followed, and said',
  async ({ status, kind }) => {
    await using third = await serve((_, response) => response.end('{}'))
    await using provider = await serve((_, response) =>
      response.writeHead(status, { location: `${third.origin}/v1?key=${encodeURIComponent(CANARY)}` }).end(),
    )
    const failure = await failureOf({ kind, baseURL: provider.origin, apiKey: CANARY })
    expect(failure).toMatchObject({
      kind: 'fatal',
      message: 'The provider answered with a redirect, which is not followed.',
    })
    expect(third.requests).toEqual([])
    expect(provider.requests).toHaveLength(1)
  },
)

test('SX-10 a server on this machine that redirects is not found, and no other server is asked', async () => {
  await using third = await serve((_, response) => response.end(JSON.stringify({ data: [{ id: 'm1' }] })))
  await using local = await serve((request, response) =>
    response.writeHead(307, { location: `${third.origin}${request.url}` }).end(),
  )
  const servers = LOCAL_SERVERS.slice(0, 1).map((server) => ({ ...server, origin: local.origin }))
  const discovery = createLocalDiscovery({ servers, fetch: globalThis.fetch, clock: systemClock })
  expect(await discovery.providers()).toEqual([])
  expect(third.requests).toEqual([])
})

const whole = (content: string) =>
  JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] })
const JSON_TYPE = { 'content-type': 'application/json' }

const tooMuch: { name: string; body: string; message: string }[] = [
  {
    name: 'longer than 4 MB',
    body: whole('a'.repeat(PROVIDER_LIMITS.bodyBytes)),
    message: '4 MB in an answer',
  },
  {
    name: 'of many values',
    body: whole('a').replace('[', `[${'{},'.repeat(PROVIDER_LIMITS.eventValues)}`),
    message: '50,000 JSON values',
  },
  { name: 'nested deep', body: '['.repeat(1_000), message: '256 levels' },
]

test.for(tooMuch)('SX-10 an answer $name is refused, compressed or not', async ({ body, message }) => {
  await using plain = await serve((_, response) => response.writeHead(200, JSON_TYPE).end(body))
  await using compressed = await serve((_, response) =>
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(body)),
  )
  for (const { origin } of [plain, compressed]) {
    const failure = await failureOf({ baseURL: origin })
    expect(failure).toMatchObject({ kind: 'fatal', message: expect.stringContaining(message) })
  }
})

test('SX-10 an answer just within the limits is taken', async () => {
  const text = 'a'.repeat(PROVIDER_LIMITS.bodyBytes - 1_000)
  await using provider = await serve((_, response) => response.writeHead(200, JSON_TYPE).end(whole(text)))
  expect((await failureOf({ baseURL: provider.origin })).message).toBe(text)
})

test('SX-10 at most 1 MB of the body of a refusal is read', async () => {
  const sent = Promise.withResolvers<void>()
  await using provider = await serve((_, response) => {
    response.writeHead(400, JSON_TYPE)
    response.once('close', () => sent.resolve())
    const more = () => {
      while (response.write('a'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  })
  const failure = await failureOf({ baseURL: provider.origin })
  await sent.promise
  expect(failure.kind).toBe('invalid-request')
})

const forms = {
  'as it is': (secret: string) => secret,
  'with folded spaces': (secret: string) => secret.replace(' ', '\n\t'),
  'percent-encoded': encodeURIComponent,
  'as JSON in JSON': (secret: string) => JSON.stringify(JSON.stringify({ secret })),
  'in base64': (secret: string) => btoa(`Bearer ${secret}`),
}

test.for(Object.entries(forms))(
  'SX-5 a refusal that quotes key and headers %s loses them',
  async ([, form]) => {
    await using provider = await serve((request, response) => {
      const { authorization = '', 'x-api-key': key = authorization, 'x-own': own } = request.headers
      const message = `${form(String(key).replace('Bearer ', ''))} and ${form(String(own))} are wrong`
      const headers = { ...JSON_TYPE, 'x-echo': encodeURIComponent(String(key)) }
      response
        .writeHead(400, headers)
        .end(JSON.stringify({ error: { message, type: 'x', nested: { message } } }))
    })
    const headers = { 'x-own': HEADER_CANARY }
    const { message, error } = await failureOf({ baseURL: provider.origin, apiKey: CANARY, headers })
    expect(message).toContain('[removed]')
    for (const shown of [message, JSON.stringify(error), String(error)]) {
      expect(shown).not.toMatch(/3f9c1d|77aa/)
      expect(shown).not.toContain(form(CANARY))
    }
  },
)

test('SX-5 an error of the network that quotes a header or an address loses the secret', async () => {
  const broken = { baseURL: 'http://127.0.0.1:9', apiKey: `${CANARY}\nx` }
  const user = { baseURL: 'http://u:canary-3f9c1d@127.0.0.1:9/v1' }
  const nowhere = { baseURL: `http://nowhere.invalid/v1?key=canary-3f9c1d`, apiKey: CANARY }
  for (const connection of [broken, user, nowhere]) {
    const { kind, message } = await failureOf(connection)
    expect(kind).not.toBe('answered')
    expect(message).not.toContain('3f9c1d')
  }
})
