import { AppError } from '../../domain/errors.ts'
import { API_KEY, type ProviderKind } from '../../domain/model/provider.ts'
import { CATALOGUE } from '../catalogue/catalogue.ts'
import type { KnownModel } from '../catalogue/known-model.ts'
import type { ModelSettings, ProviderConfig, ProviderSettings, SecretRef } from '../provider-config.ts'
import { type Provider, unknownModel, withSettings } from './provider.ts'

/** Keys and addresses that the environment gives; an empty one counts as none. */
export type ProviderEnvironment = {
  openaiApiKey?: string | undefined
  openaiBaseUrl?: string | undefined
  anthropicApiKey?: string | undefined
  anthropicBaseUrl?: string | undefined
  googleApiKey?: string | undefined
}

export type ProviderSources = {
  config: ProviderConfig
  env: ProviderEnvironment
  /** The secret's value; undefined or empty when there is none. */
  resolveSecret: (ref: SecretRef) => string | undefined
  fetch?: typeof globalThis.fetch | undefined
}

const LABELS = { openai: 'OpenAI', anthropic: 'Anthropic', google: 'Google' } as const
type NamedKind = keyof typeof LABELS

/**
 * Providers that can be called: the configured ones, then those that the environment has a key for. A configured
 * provider under the id of one from the environment takes its place. Without its key a provider is left out; a key that
 * no header could carry fails with `INVALID_INPUT`.
 */
export function configuredProviders(sources: ProviderSources): Provider[] {
  const named = Object.keys(LABELS).filter(isNamed)
  const entries: [string, ProviderSettings][] = [
    ...Object.entries(sources.config),
    ...named
      .filter((id) => !Object.hasOwn(sources.config, id))
      .map((id): [string, ProviderSettings] => [id, { kind: id }]),
  ]
  return entries.flatMap(([id, settings]) => toProvider(id, settings, sources) ?? [])
}

function toProvider(id: string, settings: ProviderSettings, sources: ProviderSources): Provider | null {
  const { kind, apiKey: ref, headers, api } = settings
  const inherited = fromEnvironment(kind, sources.env)
  // A key of the environment belongs to the provider's own address or to the one that the environment names with it.
  const unnamed = settings.baseURL === undefined ? inherited.apiKey : undefined
  const apiKey = (ref ? keyOf(ref, sources) : unnamed)?.trim() || undefined
  if (apiKey === undefined && (ref !== undefined || settings.baseURL === undefined)) return null
  return {
    label: settings.label ?? (isNamed(id) ? LABELS[id] : id),
    connection: {
      kind,
      providerId: id,
      baseURL: settings.baseURL ?? (inherited.baseURL || undefined),
      apiKey,
      api,
      headers,
      fetch: sources.fetch,
    },
    models: modelsOf(kind, settings),
    unlisted: unlistedOf(kind, settings),
  }
}

/** Fails with `INVALID_INPUT` that names the variable when no header could carry its key. */
function keyOf(ref: SecretRef, { resolveSecret }: ProviderSources): string | undefined {
  const key = resolveSecret(ref)?.trim()
  if (key === undefined || API_KEY.test(key)) return key
  const message = `${ref.env}: takes an API key, one line of characters that a header can carry`
  throw new AppError('INVALID_INPUT', message, { field: ref.env })
}

function fromEnvironment(
  kind: ProviderKind,
  env: ProviderEnvironment,
): { apiKey?: string | undefined; baseURL?: string | undefined } {
  switch (kind) {
    case 'openai':
      return { apiKey: env.openaiApiKey, baseURL: env.openaiBaseUrl }
    case 'anthropic':
      return { apiKey: env.anthropicApiKey, baseURL: env.anthropicBaseUrl }
    case 'google':
      return { apiKey: env.googleApiKey }
    case 'openai-compatible':
      return {}
  }
}

/** Listed models come first, so that the first of them is where a new session starts; then those known by name. */
export function modelsOf(
  kind: ProviderKind,
  { models = {}, baseURL }: Pick<ProviderSettings, 'models' | 'baseURL'>,
): KnownModel[] {
  const known = CATALOGUE[kind]
  const listed = Object.entries(models).map(([modelId, settings]) =>
    withSettings(known.find((model) => model.modelId === modelId) ?? unknownModel(modelId), settings),
  )
  // Another address has other models.
  const others = baseURL === undefined ? known.filter((model) => !Object.hasOwn(models, model.modelId)) : []
  return [...listed, ...others]
}

function unlistedOf(
  kind: ProviderKind,
  { anyModel, defaults = {}, baseURL }: ProviderSettings,
): ModelSettings | null {
  const publishesNewModels = kind !== 'openai-compatible' && baseURL === undefined
  return (anyModel ?? publishesNewModels) ? defaults : null
}

function isNamed(id: string): id is NamedKind {
  return Object.hasOwn(LABELS, id)
}
