import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { systemClock } from '../../live/system-clock.ts'
import { createProviderModels } from './provider-models.ts'

type Answers = Record<string, unknown>

/** A server that answers by path, and the paths that it was asked for. */
async function openServer(answers: Answers) {
  const asked: string[] = []
  const server = createServer((request: IncomingMessage, response) => {
    const path = request.url ?? ''
    asked.push(path)
    response.writeHead(path in answers ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answers[path] ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    asked,
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The models of a provider under this id at a server, with what is configured for those that are not listed. */
const modelsAt = (baseURL: string, providerId: string, unlisted: { contextLimit?: number } = {}) =>
  createProviderModels(
    [
      {
        label: 'Local',
        connection: { kind: 'openai-compatible', providerId, baseURL },
        models: [],
        unlisted,
      },
    ],
    systemClock,
  )

const QWEN = { providerId: 'ollama', modelId: 'qwen3' }
const LOADED = { '/api/ps': { models: [{ name: 'qwen3:latest', context_length: 4_096 }] } }
const FILE = { '/api/show': { parameters: 'stop "<|im_end|>"\nnum_ctx                        8192' } }

test('MO-4 the window of a model of an Ollama server is the one that it is loaded with', async () => {
  await using server = await openServer({ ...LOADED, ...FILE })
  const models = modelsAt(server.baseURL, 'ollama')
  expect(await models.find(QWEN)).toMatchObject({ contextLimit: 4_096 })
  expect((await models.open(QWEN)).info.contextLimit).toBe(4_096)
  expect(server.asked.toSorted()).toEqual(['/api/ps', '/api/show'])
})

test('MO-4 the window of a model that Ollama has not loaded is the one of its file, else unknown', async () => {
  await using server = await openServer({ '/api/ps': { models: [] }, ...FILE })
  expect(await modelsAt(server.baseURL, 'ollama').find(QWEN)).toMatchObject({ contextLimit: 8_192 })
  await using silent = await openServer({})
  expect(await modelsAt(silent.baseURL, 'ollama').find(QWEN)).toMatchObject({ contextLimit: null })
})

test('MO-4 neither another provider nor a model with a configured window is asked', async () => {
  await using server = await openServer({ ...LOADED, ...FILE })
  const other = modelsAt(server.baseURL, 'lab')
  expect(await other.find({ ...QWEN, providerId: 'lab' })).toMatchObject({ contextLimit: null })
  const configured = modelsAt(server.baseURL, 'ollama', { contextLimit: 2_048 })
  expect((await configured.open(QWEN)).info.contextLimit).toBe(2_048)
  expect(server.asked).toEqual([])
})
