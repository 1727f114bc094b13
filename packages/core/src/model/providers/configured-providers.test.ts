import { expect, test } from 'vitest'
import { providerConfigSchema } from '../provider-config.ts'
import { configuredProviders, type ProviderEnvironment } from './configured-providers.ts'

function providersFrom(config: unknown, env: ProviderEnvironment = {}, secrets: Record<string, string> = {}) {
  return configuredProviders({
    config: providerConfigSchema.parse(config),
    env,
    resolveSecret: (ref) => secrets[ref.env],
  })
}

const connections = (...args: Parameters<typeof providersFrom>) =>
  providersFrom(...args).map(({ connection: { providerId, kind, baseURL, apiKey } }) => ({
    providerId,
    kind,
    baseURL,
    apiKey,
  }))

test('CF-1 each key of the environment brings its provider, and an empty key brings none', () => {
  expect(connections({}, {})).toEqual([])
  expect(connections({}, { openaiApiKey: '', anthropicApiKey: '', googleApiKey: '' })).toEqual([])
  expect(connections({}, { openaiApiKey: 'o', anthropicApiKey: 'a', googleApiKey: 'g' })).toEqual([
    { providerId: 'openai', kind: 'openai', baseURL: undefined, apiKey: 'o' },
    { providerId: 'anthropic', kind: 'anthropic', baseURL: undefined, apiKey: 'a' },
    { providerId: 'google', kind: 'google', baseURL: undefined, apiKey: 'g' },
  ])
})

test('CF-1 an address of the environment goes with the key of the environment', () => {
  const env = {
    openaiApiKey: 'o',
    openaiBaseUrl: 'http://127.0.0.1:9/v1',
    anthropicApiKey: 'a',
    anthropicBaseUrl: '',
  }
  expect(connections({}, env).map(({ baseURL }) => baseURL)).toEqual(['http://127.0.0.1:9/v1', undefined])
})

test('CF-2 a configured provider takes the place of the one from the environment', () => {
  const config = { openai: { kind: 'openai', label: 'Work', apiKey: { env: 'WORK_KEY' } } }
  const [provider, ...others] = providersFrom(config, { openaiApiKey: 'private' }, { WORK_KEY: 'work' })
  expect(others).toEqual([])
  expect(provider).toMatchObject({ label: 'Work', connection: { apiKey: 'work' } })
})

test('MO-6 a key of the environment is never sent to an address that only the configuration names', () => {
  const config = { proxy: { kind: 'openai', baseURL: 'http://203.0.113.1/v1' } }
  const [proxy] = connections(config, { openaiApiKey: 'private' })
  expect(proxy).toEqual({
    providerId: 'proxy',
    kind: 'openai',
    baseURL: 'http://203.0.113.1/v1',
    apiKey: undefined,
  })
})

test('MO-6 blanks and line breaks around a key are not part of it', () => {
  expect(connections({}, { openaiApiKey: ' o\n', googleApiKey: ' \n' }).map(({ apiKey }) => apiKey)).toEqual([
    'o',
  ])
})

test('MO-6 a provider whose named key is not there does not fall back on another', () => {
  const config = { work: { kind: 'openai', apiKey: { env: 'WORK_KEY' } } }
  expect(connections(config, { openaiApiKey: 'private' }).map(({ providerId }) => providerId)).toEqual([
    'openai',
  ])
})

test('CF-2 a provider at a configured address has only the models that are listed', () => {
  const config = {
    proxy: { kind: 'openai', baseURL: 'http://127.0.0.1:9/v1', models: { 'gpt-5': {}, own: {} } },
  }
  const [proxy] = providersFrom(config)
  expect(proxy?.models.map((model) => [model.modelId, model.contextLimit])).toEqual([
    ['gpt-5', 400_000],
    ['own', null],
  ])
  expect(proxy?.unlisted).toBeNull()
})

test('CF-2 listed models come before those that are known by name, each once', () => {
  const config = { google: { kind: 'google', models: { 'gemini-2.5-pro': { label: 'Mine' } } } }
  const [google] = providersFrom(config, { googleApiKey: 'g' })
  expect(google?.models[0]).toMatchObject({ modelId: 'gemini-2.5-pro', label: 'Mine' })
  expect(google?.models.filter((model) => model.modelId === 'gemini-2.5-pro')).toHaveLength(1)
  expect(google?.models.length).toBeGreaterThan(5)
})

test('MO-4 a provider takes ids that are not listed, unless it is configured otherwise', () => {
  const [open] = providersFrom({}, { anthropicApiKey: 'a' })
  expect(open?.unlisted).toEqual({})
  const [closed] = providersFrom(
    { anthropic: { kind: 'anthropic', anyModel: false } },
    { anthropicApiKey: 'a' },
  )
  expect(closed?.unlisted).toBeNull()
})

test('SX-5 a key that no header could carry is refused by the name of its variable, without its value', () => {
  const config = { work: { kind: 'openai', apiKey: { env: 'WORK_KEY' } } }
  for (const key of ['canary\nkey', 'canary\u0000', 'canary\u2019', 'canary\u007f']) {
    expect(() => connections(config, {}, { WORK_KEY: key })).toThrow(/^WORK_KEY: takes an API key/)
    expect(() => connections(config, {}, { WORK_KEY: key })).not.toThrow(/canary/)
  }
  expect(connections(config, {}, { WORK_KEY: ' my key\n' })[0]?.apiKey).toBe('my key')
})
