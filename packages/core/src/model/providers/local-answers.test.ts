import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLocalDiscovery } from './local-discovery.ts'
import { LOCAL_SERVERS, type LocalServer } from './local-servers.ts'

const OLLAMA = LOCAL_SERVERS.filter(({ id }) => id === 'ollama')

type Answer = () => Response | Promise<Response>

/** Looks at one server whose list and report answer so. */
async function look(
  list: Answer,
  report: Answer = () => Response.json({}),
  servers: readonly LocalServer[] = OLLAMA,
) {
  const discovery = createLocalDiscovery({
    servers,
    fetch: async (input) => await (String(input).endsWith('/v1/models') ? list() : report()),
    clock: createFakeClock(),
  })
  const providers = await discovery.providers()
  return providers.flatMap(({ models }) => models)
}

const json =
  (value: unknown, init?: ResponseInit): Answer =>
  () =>
    Response.json(value, init)
const models = (...ids: string[]) => ({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) })

const odd: [string, Answer][] = [
  ['a page', () => new Response('<html>It works!</html>', { headers: { 'content-type': 'text/html' } })],
  ['nothing', () => new Response('')],
  ['half a list', () => new Response('{"data":[{"id":"a"}')],
  ['an error', json({ error: 'no' }, { status: 500 })],
  ['a refusal', json(models('a'), { status: 401 })],
  ['a list under another name', json({ models: [{ id: 'a' }] })],
  ['a list that is none', json({ data: { id: 'a' } })],
  ['models without ids', json({ data: [{ name: 'a' }] })],
  ['an id that is no text', json({ data: [{ id: 7 }] })],
  ['an empty id', json({ data: [{ id: '' }] })],
  ['an id without end', json(models('x'.repeat(10_000)))],
  ['more models than anyone has', json(models(...Array.from({ length: 501 }, (_, index) => `m${index}`)))],
  ['no models', json(models())],
  ['only models that do not chat', json(models('nomic-embed-text', 'bge-reranker', 'whisper-1'))],
  ['a number', json(42)],
  ['null', json(null)],
  [
    'a body that breaks off',
    () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{"data":['))
            controller.error(new Error('reset'))
          },
        }),
      ),
  ],
]

test.for(odd)('MO-4 a server that answers %s adds no model, and the list is returned', async ([, answer]) => {
  expect(await look(answer)).toEqual([])
})

const reports: [string, Answer][] = [
  ['a page', () => new Response('<html></html>')],
  ['an error', json({}, { status: 404 })],
  ['other fields', json({ models: [{ model: 'a' }] })],
  ['a window of 0', json({ models: [{ name: 'a', context_length: 0 }] })],
  ['a window in words', json({ models: [{ name: 'a', context_length: '8k' }] })],
  ['a window of half a token', json({ models: [{ name: 'a', context_length: 0.5 }] })],
  ['a window below nothing', json({ models: [{ name: 'a', context_length: -1 }] })],
  ['other models', json({ models: [{ name: 'b', context_length: 4096 }] })],
  ['null', json(null)],
]

test.for(reports)(
  'MO-4 windows of which a server reports %s are unknown, and its models offered',
  async ([, report]) => {
    expect(
      (await look(json(models('a')), report)).map(({ modelId, contextLimit }) => [modelId, contextLimit]),
    ).toEqual([['a', null]])
  },
)

test('MO-4 a window that the list itself states is used where the report says nothing, and the report wins', async () => {
  const list = json({ data: [{ id: 'a', max_model_len: 4096 }] })
  const windows = async (report: Answer) => (await look(list, report)).map(({ contextLimit }) => contextLimit)
  expect(await windows(json({}))).toEqual([4096])
  expect(await windows(json({ models: [{ name: 'a', context_length: 2048 }] }))).toEqual([2048])
})

test('MO-4 each kind of server reads its own report', async () => {
  const report = json({
    models: [{ name: 'a', context_length: 1000 }],
    data: [{ id: 'a', loaded_context_length: 2000 }, { id: 'b' }],
    default_generation_settings: { n_ctx: 3000 },
  })
  const found = await Promise.all(
    LOCAL_SERVERS.map(async (server) => {
      const [first, second] = await look(json(models('a', 'b')), report, [server])
      return [server.id, first?.contextLimit, second?.contextLimit]
    }),
  )
  expect(found).toEqual([
    ['ollama', 1000, null],
    ['lmstudio', 2000, null],
    ['llamacpp', 3000, 3000],
  ])
})

test('MO-4 one server that fails or hangs keeps none of the others from being found', async () => {
  const clock = createFakeClock()
  const discovery = createLocalDiscovery({
    servers: LOCAL_SERVERS,
    fetch(input, init) {
      const { port } = new URL(String(input))
      if (port === '11434') return Promise.reject(new TypeError('fetch failed'))
      if (port === '1234') {
        return new Promise((_, reject) =>
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
        )
      }
      return Promise.resolve(Response.json(models('there')))
    },
    clock,
  })
  clock.advance(300)
  const found = await discovery.providers()
  expect(found.map(({ connection }) => connection.providerId)).toEqual(['llamacpp'])
})

test('MO-4 local models cost nothing, and no other value is assumed', async () => {
  const [model] = await look(json(models('a')))
  expect(model?.prices).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })
  expect(model).toMatchObject({ modelId: 'a', contextLimit: null, maxOutput: null })
})

test('MO-4 any JSON that a server answers is read without an error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (list, report) => {
      for (const server of LOCAL_SERVERS) {
        expect(Array.isArray(await look(json(list), json(report), [server]))).toBe(true)
      }
    }),
    { numRuns: 60 },
  )
})
