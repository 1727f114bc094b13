import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { readEnv } from '../../env.ts'
import { searchSettings } from '../../search-settings.ts'
import { toResults } from './search-results.ts'
import type { SearchKind } from './search-services.ts'
import { createWebSearch } from './web-search.ts'

const KEY = 'canary-key-51'
const SIGNAL = new AbortController().signal

type Asked = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

/** A service on this machine that answers with this. */
async function openService(kind: SearchKind, answer: unknown, { status = 200, headers = {} } = {}) {
  const asked: Asked[] = []
  const server = createServer(async (request, response: ServerResponse) => {
    const body = (await Array.fromAsync(request)).join('')
    asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const search = createWebSearch({ kind, baseURL: `http://127.0.0.1:${port}`, apiKey: KEY })
  return {
    asked,
    host: search.host,
    address: `127.0.0.1:${port}`,
    search: (query: string) => search.search(query, SIGNAL),
    async [Symbol.asyncDispose]() {
      await search[Symbol.asyncDispose]()
      server.closeAllConnections()
      server.close()
    },
  }
}

const found = [
  { title: 'Iron gall ink', url: 'https://ink.example/gall', snippet: 'Made of oak galls & vitriol.' },
  { title: 'plain.example', url: 'https://plain.example/', snippet: '' },
]
const [GALL, PLAIN] = ['https://ink.example/gall', 'https://plain.example/']
const TEXT = 'Made of <strong>oak galls</strong> &amp;\nvitriol.'

test.for<[SearchKind, unknown, Partial<Asked>, object]>([
  [
    'searxng',
    {
      query: 'ink',
      results: [{ title: 'Iron gall ink', url: GALL, content: TEXT, engine: 'x' }, { url: PLAIN }],
    },
    { method: 'GET', url: '/search?q=iron+ink%3F&format=json', body: '' },
    {},
  ],
  [
    'brave',
    {
      type: 'search',
      web: { results: [{ title: 'Iron gall ink', url: GALL, description: TEXT }, { url: PLAIN }] },
    },
    { method: 'GET', url: '/res/v1/web/search?q=iron+ink%3F&count=10', body: '' },
    { 'x-subscription-token': KEY },
  ],
  [
    'tavily',
    { results: [{ title: 'Iron gall ink', url: GALL, content: TEXT, score: 0.9 }, { url: PLAIN }] },
    { method: 'POST', url: '/search', body: '{"query":"iron ink?","max_results":10}' },
    { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
  ],
  [
    'exa',
    { requestId: 'r', results: [{ title: 'Iron gall ink', url: GALL, text: TEXT, id: 'i' }, { url: PLAIN }] },
    {
      method: 'POST',
      url: '/search',
      body: '{"query":"iron ink?","numResults":10,"contents":{"text":{"maxCharacters":500}}}',
    },
    { 'x-api-key': KEY, 'content-type': 'application/json' },
  ],
])('TO-1 %s is asked and read as its documentation says', async ([kind, answer, request, headers]) => {
  await using service = await openService(kind, answer)
  expect(await service.search('iron ink?')).toEqual(found)
  expect(service.asked).toMatchObject([{ ...request, headers }])
  expect(service.host).toBe(service.address)
})

test.for<[string, unknown, object, RegExp]>([
  ['a refusal', { error: KEY }, { status: 401 }, /^127\.0\.0\.1 answered the search with status 401\.$/],
  ['a redirect', '', { status: 302, headers: { location: 'http://169.254.169.254/' } }, /status 302/],
  ['HTML', '<html>', {}, /did not answer in JSON/],
  ['too much', `"${'x'.repeat(2_100_000)}"`, {}, /too large/],
])(
  'TO-5 SX-5 %s is a failure that holds no key, and nothing else is called',
  async ([, answer, options, message]) => {
    await using service = await openService('brave', answer, options)
    const error = await service.search('ink').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(message) })
    expect(JSON.stringify(error)).not.toContain(KEY)
    expect(service.asked).toHaveLength(1)
  },
)

test('TO-1 SX-4 results are bounded plain lines with addresses of the web, whatever the service answers', () => {
  const many = Array.from({ length: 40 }, (_, at) => ({
    title: `${'t'.repeat(500)}\n# System`,
    url: `https://a.example/${at}`,
    content: `${'s '.repeat(2_000)}`,
  }))
  const results = toResults(many, 'content')
  expect(results).toHaveLength(10)
  for (const { title, snippet } of results) {
    expect(title.length).toBeLessThanOrEqual(200)
    expect(snippet.length).toBeLessThanOrEqual(500)
    expect(`${title}${snippet}`).not.toContain('\n')
  }
  const odd = [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://u:p@a.example/',
    'no',
    5,
    null,
    `https://a/${'x'.repeat(3_000)}`,
  ]
  expect(toResults([...odd.map((url) => ({ url })), null, 'x', []], 'content')).toEqual([])
  for (const list of [undefined, null, {}, 'x', 7]) expect(toResults(list, 'content')).toEqual([])
  const twice = [{ url: GALL, title: 'a\u202Eb\u0000' }, { url: GALL }]
  expect(toResults(twice, 'content')).toEqual([{ url: GALL, title: 'a b', snippet: '' }])
})

test('CF-1 the search is that of the configuration, else of the environment, else none', () => {
  const secrets: Record<string, string> = { MY_KEY: 'k' }
  const read = ({ env }: { env: string }) => secrets[env]
  const of = (environment: Record<string, string>, search?: Parameters<typeof searchSettings>[0]['search']) =>
    searchSettings(search === undefined ? {} : { search }, readEnv(environment), read)
  expect(of({})).toBeNull()
  expect(of({ SEARXNG_URL: 'http://127.0.0.1:8888', EXA_API_KEY: 'e' })).toMatchObject({ kind: 'searxng' })
  expect(of({ EXA_API_KEY: 'e' })).toEqual({ kind: 'exa', baseURL: 'https://api.exa.ai/', apiKey: 'e' })
  const brave = { kind: 'brave', apiKey: { env: 'MY_KEY' } } as const
  expect(of({ EXA_API_KEY: 'e' }, brave)).toMatchObject({ kind: 'brave', apiKey: 'k' })
  expect(of({}, { ...brave, apiKey: { env: 'NONE' } })).toBeNull()
})
