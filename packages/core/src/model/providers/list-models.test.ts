import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { startScriptedProvider } from '@palimpsest/testing/scripted-provider.ts'
import { expect, test } from 'vitest'
import { systemClock } from '../../live/system-clock.ts'
import { listModels } from './list-models.ts'
import type { Connection } from './open-model.ts'

const KEY = 'canary-51ce77'

/** Lists the models of a provider that answers so; `asked` collects its requests. */
async function list(answer: () => Response | Promise<Response>, over: Partial<Connection> = {}) {
  const asked: { url: string; headers: unknown }[] = []
  const listing = await listModels(
    {
      kind: 'openai-compatible',
      providerId: 'lab',
      baseURL: 'http://lab.example/v1',
      apiKey: KEY,
      ...over,
      fetch: async (input, init) => {
        asked.push({ url: String(input), headers: init?.headers })
        return await answer()
      },
    },
    createFakeClock(),
  )
  return { listing, asked }
}

test('UI-31 the list is read at the address of each kind of provider, with its key', async () => {
  const ids = { data: [{ id: 'a' }] }
  const answer = () => Response.json(ids)
  expect((await list(answer)).asked).toEqual([
    { url: 'http://lab.example/v1/models', headers: { authorization: `Bearer ${KEY}` } },
  ])
  expect((await list(answer, { baseURL: 'http://lab.example/v1/?team=7', apiKey: undefined })).asked).toEqual(
    [{ url: 'http://lab.example/v1/models?team=7', headers: {} }],
  )
  expect((await list(answer, { kind: 'openai', baseURL: undefined })).asked[0]?.url).toBe(
    'https://api.openai.com/v1/models',
  )
  expect(
    (await list(answer, { kind: 'anthropic', baseURL: undefined, headers: { 'x-team': 'a' } })).asked,
  ).toEqual([
    {
      url: 'https://api.anthropic.com/v1/models?limit=1000',
      headers: { 'anthropic-version': '2023-06-01', 'x-api-key': KEY, 'x-team': 'a' },
    },
  ])
  const google = () =>
    Response.json({
      models: [
        {
          name: 'models/gemini-x',
          inputTokenLimit: 1_000_000,
          supportedGenerationMethods: ['generateContent'],
        },
        { name: 'models/embed-x', supportedGenerationMethods: ['embedContent'] },
      ],
    })
  expect(await list(google, { kind: 'google', baseURL: undefined })).toEqual({
    listing: { ok: true, models: [{ modelId: 'gemini-x', contextLimit: 1_000_000 }] },
    asked: [
      {
        url: 'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000',
        headers: { 'x-goog-api-key': KEY },
      },
    ],
  })
})

test('UI-31 all ids are listed once, those that do not chat last, with the window that the server reports', async () => {
  const data = [
    { id: 'text-embedding-3' },
    { id: 'a', max_model_len: 8_192 },
    { id: 'b', context_length: 4_096 },
    { id: 'c', context_window: -1 },
    { id: 'a' },
    { name: 'no id' },
    null,
  ]
  expect((await list(() => Response.json({ data }))).listing).toEqual({
    ok: true,
    models: [
      { modelId: 'a' },
      { modelId: 'b', contextLimit: 4_096 },
      { modelId: 'c' },
      { modelId: 'text-embedding-3' },
    ],
  })
  const many = Array.from({ length: 1_500 }, (_, index) => ({ id: `m${index}` }))
  const { listing } = await list(() => Response.json({ data: many }))
  expect(listing.ok && listing.models).toHaveLength(1_000)
})

test.for([
  [
    401,
    { error: { message: `Incorrect API key provided: ${KEY}` } },
    'HTTP 401: Incorrect API key provided: [removed]',
  ],
  [403, { error: 'Not allowed' }, 'HTTP 403: Not allowed'],
  [404, { detail: 'Not Found' }, 'HTTP 404: Not Found'],
  [429, { message: 'Slow down' }, 'HTTP 429: Slow down'],
  [500, { other: 1 }, 'HTTP 500'],
] as const)(
  'UI-31 a refusal with %i is reported in the provider’s words, without the key',
  async ([status, body, message]) => {
    expect((await list(() => Response.json(body, { status }))).listing).toEqual({ ok: false, message })
  },
)

test.for([
  ['a page', () => new Response('<html>It works!</html>')],
  ['nothing', () => new Response('')],
  ['another list', () => Response.json({ models: [{ id: 'a' }] })],
  ['a list of no models', () => Response.json({ data: [1, 2] })],
] as const)('UI-31 an answer with %s is reported as no list of models', async ([, answer]) => {
  expect((await list(answer)).listing).toEqual({
    ok: false,
    message: 'The server answered, but not with a list of models.',
  })
})

test('SX-10 a list is bounded in size and time, and a redirect is not followed', async () => {
  const endless = new Response(
    new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(256 * 1024).fill(32)) }),
  )
  expect((await list(() => endless)).listing).toMatchObject({ ok: false })
  expect(
    (await list(() => new Response(null, { status: 302, headers: { location: 'http://x.example' } })))
      .listing,
  ).toEqual({
    ok: false,
    message: 'The provider answered with a redirect, which is not followed.',
  })
  const clock = createFakeClock()
  const silent = listModels(
    {
      kind: 'openai-compatible',
      providerId: 'lab',
      baseURL: 'http://lab.example',
      fetch: (_, init) =>
        new Promise((_, reject) =>
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
        ),
    },
    clock,
  )
  await clock.advance(10_000)
  expect(await silent).toEqual({ ok: false, message: 'The server did not answer within 10 s.' })
})

test('UI-31 an address where nothing answers is reported as that', async () => {
  const provider = await startScriptedProvider()
  await provider[Symbol.asyncDispose]()
  expect(
    await listModels(
      { kind: 'openai-compatible', providerId: 'lab', baseURL: provider.baseURL },
      systemClock,
    ),
  ).toEqual({ ok: false, message: 'Nothing answers at this address: the connection was refused.' })
})
