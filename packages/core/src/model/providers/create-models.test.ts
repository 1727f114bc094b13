import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createLabModels, LAB_MODEL } from '@palimpsest/testing/lab-models.ts'
import { startScriptedProvider } from '@palimpsest/testing/scripted-provider.ts'
import { failure, reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { generateText, streamText } from 'ai'
import { expect, test } from 'vitest'
import { providerConfigSchema } from '../provider-config.ts'
import { classifyProviderError } from '../provider-error.ts'
import { createModels, type ModelsDeps } from './create-models.ts'

const host = createLabModels('http://127.0.0.1:9/v1', (modelId) => ({
  providerId: 'own',
  cheap: modelId === 'built-in-small',
}))
/** Two models that the host brings, the second one cheap. */
const BUILT_IN = await Promise.all(
  ['built-in', 'built-in-small'].map((modelId) => host.open({ ...LAB_MODEL, modelId })),
)

function modelsWith(deps: Partial<Omit<ModelsDeps, 'config'>> & { config?: unknown } = {}) {
  return createModels({
    env: {},
    resolveSecret: () => undefined,
    clock: createFakeClock(),
    builtIn: BUILT_IN,
    discover: false,
    ...deps,
    config: providerConfigSchema.parse(deps.config ?? {}),
  })
}

const lab = (baseURL: string, more: object = {}) => ({
  lab: {
    kind: 'openai-compatible',
    baseURL,
    apiKey: { env: 'LAB_KEY' },
    models: {
      m1: { contextLimit: 8192, maxOutput: 1024, inputPrice: 0.5, outputPrice: 1.5 },
      m2: { cheap: true },
    },
    ...more,
  },
})

test('MO-4 without a key there are the models of the host and no others', async () => {
  const models = modelsWith()
  expect(await models.list()).toEqual(BUILT_IN.map(({ info }) => info))
  const start = await models.defaultModel()
  expect(start).toEqual({ providerId: 'own', modelId: 'built-in' })
  expect(await models.cheapSibling(start)).toEqual({ providerId: 'own', modelId: 'built-in-small' })
  expect(await models.open(start)).toBe(BUILT_IN[0])
  const unknown = { providerId: 'own', modelId: 'other' }
  expect(await models.find(unknown)).toBeNull()
  await expect(models.open(unknown)).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' })
  await expect(modelsWith({ builtIn: [] }).defaultModel()).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' })
})

test('MO-4 a key brings its provider, its models and a real default', async () => {
  const models = modelsWith({ env: { anthropicApiKey: 'k', openaiApiKey: '' } })
  const providers = new Set((await models.list()).map((model) => model.providerId))
  expect([...providers]).toEqual(['anthropic', 'own'])
  const start = await models.defaultModel()
  expect(await models.find(start)).toMatchObject({
    providerLabel: 'Anthropic',
    demo: false,
    contextLimit: 1_000_000,
  })
  const cheap = await models.cheapSibling(start)
  expect(await models.find(cheap)).toMatchObject({ providerId: 'anthropic', cheap: true })
  expect((await models.open(cheap)).providerOptions['anthropic']).toMatchObject({
    thinking: { type: 'disabled' },
  })
})

test('MO-4 every listed model is found and opens, under a key of its own', async () => {
  const models = modelsWith({ env: { anthropicApiKey: 'k', openaiApiKey: 'k', googleApiKey: 'k' } })
  const listed = await models.list()
  expect(new Set(listed.map((model) => `${model.providerId}/${model.modelId}`)).size).toBe(listed.length)
  for (const info of listed) {
    expect(await models.find(info)).toEqual(info)
    expect(info.inputs).toContain('text')
    for (const { id } of info.variants) {
      const { providerOptions } = await models.open({ ...info, variant: id })
      expect(Object.keys(providerOptions)).toEqual([info.providerId])
    }
  }
})

test('CF-2 a configured server is listed with its limits and prices, and called with its key', async () => {
  await using provider = await startScriptedProvider()
  provider.script(reply({ text: 'hello' }))
  const models = modelsWith({ config: lab(provider.baseURL), resolveSecret: ({ env }) => `secret-of-${env}` })
  expect(await models.defaultModel()).toEqual({ providerId: 'lab', modelId: 'm1' })
  expect(await models.cheapSibling({ providerId: 'lab', modelId: 'm1' })).toEqual({
    providerId: 'lab',
    modelId: 'm2',
  })
  const { model, info } = await models.open({ providerId: 'lab', modelId: 'm1' })
  expect(info).toMatchObject({
    contextLimit: 8192,
    maxOutput: 1024,
    prices: { input: 0.5, output: 1.5, cacheRead: null },
  })
  const result = streamText({ model, prompt: 'hi', maxRetries: 0 })
  expect(await result.text).toBe('hello')
  expect(await result.usage).toMatchObject({ inputTokens: 10 })
  expect(provider.requests[0]?.headers.authorization).toBe('Bearer secret-of-LAB_KEY')
})

test('CF-2 a provider, a model and a variant may go by a name that every object has', async () => {
  const settings = { kind: 'openai-compatible', baseURL: 'http://127.0.0.1:9/v1' }
  const models = modelsWith({
    config: { constructor: { ...settings, models: { constructor: { variants: ['constructor'] } } } },
  })
  expect(await models.find({ providerId: 'constructor', modelId: 'constructor' })).toMatchObject({
    providerLabel: 'constructor',
    label: 'constructor',
    variants: [{ id: 'constructor', label: 'constructor' }],
  })
})

test('CF-2 a provider takes unlisted models only with anyModel, and their limit is unknown', async () => {
  const unlisted = { providerId: 'lab', modelId: 'whatever' }
  const resolveSecret = () => 'k'
  const strict = modelsWith({ config: lab('http://127.0.0.1:9/v1'), resolveSecret })
  expect(await strict.find(unlisted)).toBeNull()
  await expect(strict.open(unlisted)).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' })
  const open = modelsWith({ config: lab('http://127.0.0.1:9/v1', { anyModel: true }), resolveSecret })
  expect(await open.find(unlisted)).toMatchObject({ contextLimit: null, maxOutput: null })
  const defaults = { anyModel: true, defaults: { contextLimit: 4096 } }
  const configured = modelsWith({ config: lab('http://127.0.0.1:9/v1', defaults), resolveSecret })
  expect(await configured.find(unlisted)).toMatchObject({ contextLimit: 4096 })
})

test('MO-4 a configured server that accepts any id has the models that it lists in the catalogue, after its own', async () => {
  await using provider = await startScriptedProvider({ models: [{ id: 'm1' }, { id: 'listed' }] })
  const resolveSecret = () => 'k'
  const ids = async (more: object) => {
    const models = modelsWith({ config: lab(provider.baseURL, more), resolveSecret })
    return (await models.list())
      .filter(({ providerId }) => providerId !== 'own')
      .map(({ modelId }) => modelId)
  }
  expect(await ids({ anyModel: true, models: {} })).toEqual(['m1', 'listed'])
  expect(await ids({ anyModel: true, models: { m7: {} } })).toEqual(['m7', 'm1', 'listed'])
  expect(await ids({ models: { m7: {} } })).toEqual(['m7'])
  const first = modelsWith({ config: lab(provider.baseURL, { anyModel: true, models: {} }), resolveSecret })
  expect(await first.defaultModel()).toEqual({ providerId: 'lab', modelId: 'm1' })
})

test('CF-2 a provider whose key is not there is left out', async () => {
  const models = modelsWith({ config: lab('http://127.0.0.1:9/v1') })
  expect(await models.list()).toEqual(BUILT_IN.map(({ info }) => info))
})

test('CF-2 the configuration is merged into a model’s catalogue entry', async () => {
  const config = { openai: { kind: 'openai', models: { 'gpt-5': { inputPrice: 9 }, 'gpt-next': {} } } }
  const models = modelsWith({ config, env: { openaiApiKey: 'k' } })
  const info = await models.find({ providerId: 'openai', modelId: 'gpt-5' })
  expect(info).toMatchObject({ label: 'GPT-5', contextLimit: 400_000, prices: { input: 9, output: 10 } })
  expect((await models.list())[1]).toMatchObject({ modelId: 'gpt-next', contextLimit: null })
})

test('MO-5 OpenAI is called through Responses, or through Chat where it is configured', async () => {
  await using provider = await startScriptedProvider()
  provider.otherwise(failure(400, 'no'))
  for (const api of ['responses', 'chat'] as const) {
    const config = { work: { kind: 'openai', baseURL: provider.baseURL, api, anyModel: true } }
    const { model } = await modelsWith({ config }).open({ providerId: 'work', modelId: 'x' })
    await generateText({ model, prompt: 'hi', maxRetries: 0 }).catch(() => undefined)
  }
  expect(provider.requests.map((request) => request.path)).toEqual(['/v1/responses', '/v1/chat/completions'])
})

test('MO-2 a variant becomes the option of its provider, and an unknown one is refused', async () => {
  const models = modelsWith({ env: { anthropicApiKey: 'k', openaiApiKey: 'k', googleApiKey: 'k' } })
  const optionsOf = async (providerId: string, modelId: string, variant?: string) =>
    (await models.open({ providerId, modelId, ...(variant !== undefined && { variant }) })).providerOptions[
      providerId
    ]
  expect(await optionsOf('openai', 'gpt-5', 'high')).toMatchObject({ reasoningEffort: 'high', store: false })
  expect(await optionsOf('openai', 'gpt-5')).toEqual({ store: false })
  expect(await optionsOf('anthropic', 'claude-opus-5-5', 'low')).toMatchObject({
    effort: 'low',
    thinking: { type: 'adaptive' },
  })
  expect(await optionsOf('anthropic', 'claude-haiku-4-5', 'high')).toMatchObject({
    thinking: { type: 'enabled', budgetTokens: 24_576 },
  })
  expect(await optionsOf('google', 'gemini-3.8-flash', 'low')).toEqual({
    thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' },
  })
  expect(await optionsOf('google', 'gemini-2.5-flash', 'none')).toEqual({
    thinkingConfig: { includeThoughts: false, thinkingBudget: 0 },
  })
  await expect(optionsOf('openai', 'gpt-5', 'gigantic')).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
    field: 'model.variant',
  })
})

test('MO-6 a key that the provider quotes in its refusal is in no error', async () => {
  await using provider = await startScriptedProvider()
  provider.script(failure(400, 'The key planted canary 42 is odd'))
  const models = modelsWith({ config: lab(provider.baseURL), resolveSecret: () => 'planted canary 42' })
  const { model } = await models.open({ providerId: 'lab', modelId: 'm1' })
  const error = await generateText({ model, prompt: 'hi', maxRetries: 0 }).catch((thrown: unknown) => thrown)
  expect(JSON.stringify([error, String(error)])).not.toContain('canary')
  expect(classifyProviderError(error, 0).message).toContain('[removed]')
})
