import { AppError } from '../../domain/errors.ts'
import type { ModelInfo, ModelRef } from '../../domain/model.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Models, OpenModel } from '../../ports/models.ts'
import { createDemoModel } from '../demo/demo-model.ts'
import { DEMO_MODELS, DEMO_PROVIDER_ID } from '../demo/demo-models.ts'
import { configuredProviders, type ProviderSources } from './configured-providers.ts'
import { createLocalDiscovery } from './local-discovery.ts'
import { LOCAL_SERVERS, type LocalServer } from './local-servers.ts'
import { openModel } from './open-model.ts'
import { findModel, type Provider, toModelInfo } from './provider.ts'
import { providerOptions } from './provider-options.ts'

export type ModelsDeps = ProviderSources & {
  clock: Clock
  /** Offers the built-in demo models. */
  demo: boolean
  /** Looks for model servers on this machine; a list replaces the usual places. */
  discover: boolean | readonly LocalServer[]
}

/** The models of every provider that can be called: configured, found on this machine, and the demo. */
export function createModels(deps: ModelsDeps): Models {
  const configured = configuredProviders(deps)
  const servers = deps.discover === true ? LOCAL_SERVERS : deps.discover || []
  const local = createLocalDiscovery({ servers, fetch: deps.fetch ?? globalThis.fetch, clock: deps.clock })
  const demos = deps.demo ? DEMO_MODELS : []
  const demoModels = new Map(demos.map((info) => [info.modelId, createDemoModel(info, deps.clock)]))

  /** Asks the machine's servers only when no configured provider has that id. */
  async function providerOf(id: string): Promise<Provider | undefined> {
    const has = ({ connection }: Provider) => connection.providerId === id
    return configured.find(has) ?? (await local.providers()).find(has)
  }

  async function open(ref: ModelRef): Promise<OpenModel> {
    const demo = ref.providerId === DEMO_PROVIDER_ID ? demoModels.get(ref.modelId) : undefined
    const demoInfo = demos.find((info) => info.modelId === ref.modelId)
    if (demo && demoInfo) return { model: demo, info: demoInfo, providerOptions: {} }
    const provider = await providerOf(ref.providerId)
    const known = provider && findModel(provider, ref.modelId)
    if (!known) throw notFound(ref)
    const info = toModelInfo(provider, known)
    if (ref.variant !== undefined && !info.variants.some(({ id }) => id === ref.variant))
      throw noVariant(info, ref.variant)
    const options = providerOptions(provider.connection.kind, known.thinking, ref.variant)
    return { ...openModel(provider.connection, ref.modelId, deps.clock), info, providerOptions: options }
  }

  async function find(ref: ModelRef): Promise<ModelInfo | null> {
    if (ref.providerId === DEMO_PROVIDER_ID) return demos.find((info) => info.modelId === ref.modelId) ?? null
    const provider = await providerOf(ref.providerId)
    const known = provider && findModel(provider, ref.modelId)
    return known ? toModelInfo(provider, known) : null
  }

  return {
    async list() {
      const real = [...configured, ...(await local.providers())]
      return [
        ...real.flatMap((provider) => provider.models.map((model) => toModelInfo(provider, model))),
        ...demos,
      ]
    },
    find,
    open,
    async defaultModel() {
      const start = configured.find(({ models }) => models.length > 0)
      if (start?.models[0])
        return { providerId: start.connection.providerId, modelId: start.models[0].modelId }
      if (demos[0]) return { providerId: DEMO_PROVIDER_ID, modelId: demos[0].modelId }
      const [found] = await local.providers()
      if (found?.models[0])
        return { providerId: found.connection.providerId, modelId: found.models[0].modelId }
      throw new AppError('MODEL_NOT_FOUND', 'No model is set up. Set an API key or configure a provider.')
    },
    async cheapSibling(ref) {
      const provider = await providerOf(ref.providerId)
      const siblings = provider?.models.map((model) => toModelInfo(provider, model)) ?? []
      const offered = ref.providerId === DEMO_PROVIDER_ID ? demos : siblings
      const cheap = offered.find((model) => model.cheap) ?? (await find(ref))
      const variant = cheap?.variants.find(({ id }) => LITTLE_THOUGHT.includes(id))
      return {
        providerId: ref.providerId,
        modelId: cheap?.modelId ?? ref.modelId,
        ...(variant && { variant: variant.id }),
      }
    },
  }
}

/** Variants for work that wants no thinking: it would eat the few tokens such calls may write. */
const LITTLE_THOUGHT = ['none', 'minimal', 'low']

function notFound({ providerId, modelId }: ModelRef): AppError {
  return new AppError('MODEL_NOT_FOUND', `There is no model ${modelId} at provider ${providerId}.`, {
    field: 'model',
  })
}

function noVariant(info: ModelInfo, variant: string): AppError {
  const known = info.variants.map(({ id }) => id).join(', ') || 'none'
  const message = `${info.label} has no variant ${variant}; it has: ${known}.`
  return new AppError('MODEL_NOT_FOUND', message, { field: 'model.variant' })
}
