import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { expect, test } from 'vitest'
import { createLocalDiscovery } from './local-discovery.ts'
import { LOCAL_SERVERS } from './local-servers.ts'

type Answers = Record<string, unknown>

/** Answers by `host:port/path`; everything else refuses the connection. */
function fetchFrom(answers: Answers, asked: string[] = []): typeof globalThis.fetch {
  return (input) => {
    const { host, pathname } = new URL(String(input))
    asked.push(`${host}${pathname}`)
    const answer = answers[`${host}${pathname}`]
    return answer === undefined
      ? Promise.reject(new TypeError('fetch failed'))
      : Promise.resolve(Response.json(answer))
  }
}

const OLLAMA = {
  '127.0.0.1:11434/v1/models': {
    data: [{ id: 'llama3.2:3b' }, { id: 'qwen3:8b' }, { id: 'nomic-embed-text' }],
  },
  '127.0.0.1:11434/api/ps': { models: [{ name: 'qwen3:8b', context_length: 16_384 }] },
}

async function windowsFound(answers: Answers) {
  const discovery = createLocalDiscovery({
    servers: LOCAL_SERVERS,
    fetch: fetchFrom(answers),
    clock: createFakeClock(),
  })
  const providers = await discovery.providers()
  return providers.map(({ connection, models }) => [
    connection.providerId,
    Object.fromEntries(models.map((model) => [model.modelId, model.contextLimit])),
  ])
}

test('MO-4 an Ollama server is offered without configuration, with the window of what it has loaded', async () => {
  expect(await windowsFound(OLLAMA)).toEqual([['ollama', { 'llama3.2:3b': null, 'qwen3:8b': 16_384 }]])
})

test('MO-4 LM Studio and llama.cpp are found on their usual ports', async () => {
  const answers = {
    '127.0.0.1:1234/v1/models': { data: [{ id: 'gemma' }] },
    '127.0.0.1:1234/api/v0/models': { data: [{ id: 'gemma', loaded_context_length: 4096 }] },
    '127.0.0.1:8080/v1/models': { data: [{ id: 'model.gguf' }] },
    '127.0.0.1:8080/props': { default_generation_settings: { n_ctx: 8192 } },
  }
  expect(await windowsFound(answers)).toEqual([
    ['lmstudio', { gemma: 4096 }],
    ['llamacpp', { 'model.gguf': 8192 }],
  ])
})

test('MO-4 a server that answers something else is no model server', async () => {
  expect(await windowsFound({ '127.0.0.1:8080/v1/models': { hello: 'world' } })).toEqual([])
  expect(await windowsFound({})).toEqual([])
})

test('MO-4 a server that does not answer delays the list by 300 ms and no more', async () => {
  const clock = createFakeClock()
  const stuck: typeof globalThis.fetch = (_input, init) =>
    new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
  const providers = createLocalDiscovery({ servers: LOCAL_SERVERS, fetch: stuck, clock }).providers()
  clock.advance(300)
  expect(await providers).toEqual([])
})

test('MO-4 servers are asked again after 30 s, without anyone waiting for it', async () => {
  const clock = createFakeClock()
  const asked: string[] = []
  const answers: Answers = {}
  const discovery = createLocalDiscovery({ servers: LOCAL_SERVERS, fetch: fetchFrom(answers, asked), clock })
  await discovery.providers()
  await discovery.providers()
  expect(asked).toHaveLength(6)
  Object.assign(answers, OLLAMA)
  clock.advance(30_000)
  expect(await discovery.providers()).toEqual([])
  expect(asked).toHaveLength(12)
  await expect.poll(async () => (await discovery.providers()).length).toBe(1)
})
