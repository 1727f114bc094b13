import type { ProviderView } from '../../domain/model/provider.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EnteredConnection, EnteredProvider, Providers } from '../../ports/providers.ts'
import { configuredProviders, modelsOf, type ProviderSources } from './configured-providers.ts'
import { listModels } from './list-models.ts'
import type { Connection } from './open-model.ts'
import type { Provider } from './provider.ts'
import { createProviderModels } from './provider-models.ts'

export type ProvidersDeps = ProviderSources & {
  clock: Clock
  redactFromLogs: Providers['redactFromLogs']
}

/** The providers that the environment and the file set, and the way to reach those that a person enters. */
export function createProviders(deps: ProvidersDeps): Providers {
  const { clock, fetch } = deps
  const configured = configuredProviders(deps)
  const connectionOf = ({ id, kind, baseURL, apiKey }: EnteredConnection): Connection => ({
    kind,
    providerId: id,
    baseURL: baseURL ?? undefined,
    apiKey: apiKey ?? undefined,
    fetch,
  })
  const toProvider = (entered: EnteredProvider): Provider => ({
    label: entered.label,
    connection: connectionOf(entered),
    models: modelsOf(entered.kind, {
      models: settingsOf(entered),
      baseURL: entered.baseURL ?? undefined,
    }),
    unlisted: {},
  })

  return {
    preset: presetViews(deps, configured),
    catalogue: (entered) => createProviderModels(entered.map(toProvider), clock),
    redactFromLogs: deps.redactFromLogs,
    listModels(provider, signal) {
      if (!('preset' in provider)) return listModels(connectionOf(provider), clock, signal)
      const found = configured.find(({ connection }) => connection.providerId === provider.preset)
      return found === undefined
        ? Promise.resolve({ ok: false, message: 'The key of this provider is not set.' })
        : listModels(found.connection, clock, signal)
    },
  }
}

/** Chosen ids first. At a provider's own address its list also names what is no chat model, so the catalogue is used instead. */
function settingsOf({ models, listed, baseURL }: EnteredProvider): Record<string, { contextLimit?: number }> {
  const named = baseURL === null ? [] : listed
  const windows = new Map(named.map(({ modelId, contextLimit }) => [modelId, contextLimit]))
  const ids = new Set([...models, ...windows.keys()])
  return Object.fromEntries(
    [...ids].map((id) => {
      const contextLimit = windows.get(id)
      return [id, contextLimit === undefined ? {} : { contextLimit }]
    }),
  )
}

function presetViews({ config }: ProviderSources, configured: readonly Provider[]): ProviderView[] {
  const found = (id: string) => configured.find(({ connection }) => connection.providerId === id)
  const fromFile = Object.entries(config).map(([id, { kind, label, baseURL, models = {} }]): ProviderView => {
    const provider = found(id)
    return {
      id,
      kind,
      label: provider?.label ?? label ?? id,
      baseURL: publicAddress(provider?.connection.baseURL ?? baseURL),
      hasKey: provider?.connection.apiKey !== undefined,
      source: 'file',
      models: Object.keys(models),
      listed: [],
      problem: provider === undefined ? 'key-missing' : null,
    }
  })
  const fromEnvironment = configured
    .filter(({ connection }) => !Object.hasOwn(config, connection.providerId))
    .map(
      ({ label, connection: { providerId, kind, baseURL } }): ProviderView => ({
        id: providerId,
        kind,
        label,
        baseURL: publicAddress(baseURL),
        hasKey: true,
        source: 'environment',
        models: [],
        listed: [],
        problem: null,
      }),
    )
  return [...fromFile, ...fromEnvironment]
}

/** An address without credentials and query; both may hold a key. */
function publicAddress(address: string | undefined): string | null {
  if (address === undefined || !URL.canParse(address)) return null
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`.replace(/\/$/, '')
}
