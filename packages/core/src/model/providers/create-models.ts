import { AppError } from '../../domain/errors.ts'
import type { ModelRef } from '../../domain/model.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Models, OpenModel } from '../../ports/models.ts'
import { createDemoModel } from '../demo/demo-model.ts'
import { DEMO_MODELS, DEMO_PROVIDER_ID } from '../demo/demo-models.ts'
import { configuredProviders, type ProviderSources } from './configured-providers.ts'
import { createListedProviders } from './listed-providers.ts'
import { createLocalDiscovery } from './local-discovery.ts'
import { LOCAL_SERVERS, type LocalServer } from './local-servers.ts'
import { createOllamaWindows } from './ollama-windows.ts'
import type { Provider } from './provider.ts'
import { cheapSibling, firstModel, infoOf, infosOf, openWithWindow } from './provider-models.ts'

export type ModelsDeps = ProviderSources & {
  clock: Clock
  /** Offers the built-in demo models. */
  demo: boolean
  /** Looks for model servers on this machine; a list replaces the usual places. */
  discover: boolean | readonly LocalServer[]
}

/** The models of every provider that can be called: configured, found on this machine, and the demo. */
export function createModels(deps: ModelsDeps): Models {
  const { clock } = deps
  const configured = createListedProviders(configuredProviders(deps), clock)
  const servers = deps.discover === true ? LOCAL_SERVERS : deps.discover || []
  const local = createLocalDiscovery({ servers, fetch: deps.fetch ?? globalThis.fetch, clock })
  const ollama = createOllamaWindows(clock)
  const demos = deps.demo ? DEMO_MODELS : []
  const demoModels = new Map(demos.map((info) => [info.modelId, createDemoModel(info, clock)]))
  const demoOf = ({ providerId, modelId }: ModelRef) =>
    providerId === DEMO_PROVIDER_ID ? (demos.find((info) => info.modelId === modelId) ?? null) : null

  /** Asks the machine's servers only when no configured provider has that id. */
  async function providerOf(id: string): Promise<Provider | undefined> {
    const has = ({ connection }: Provider) => connection.providerId === id
    return configured.known().find(has) ?? (await local.providers()).find(has)
  }

  async function open(ref: ModelRef): Promise<OpenModel> {
    const info = demoOf(ref)
    const model = info && demoModels.get(info.modelId)
    if (info && model) return { model, info, providerOptions: {} }
    return await openWithWindow(await providerOf(ref.providerId), ref, { clock, ollama })
  }

  return {
    async list() {
      const [first, found] = await Promise.all([configured.providers(), local.providers()])
      return [...[...first, ...found].flatMap(infosOf), ...demos]
    },
    async find(ref) {
      if (ref.providerId === DEMO_PROVIDER_ID) return demoOf(ref)
      const provider = await providerOf(ref.providerId)
      const known = provider === undefined ? null : infoOf(provider, ref)
      return known === null || provider === undefined
        ? null
        : await ollama.applyTo(known, provider.connection)
    },
    open,
    async defaultModel() {
      const start = firstOf(await configured.providers())
      if (start !== null) return start
      if (demos[0]) return { providerId: DEMO_PROVIDER_ID, modelId: demos[0].modelId }
      const found = firstOf(await local.providers())
      if (found !== null) return found
      throw new AppError('MODEL_NOT_FOUND', 'No model is set up. Set an API key or configure a provider.')
    },
    async cheapSibling(ref) {
      const provider = await providerOf(ref.providerId)
      const offered = ref.providerId === DEMO_PROVIDER_ID ? demos : provider ? infosOf(provider) : []
      return cheapSibling(ref, offered, demoOf(ref) ?? (provider ? infoOf(provider, ref) : null))
    },
  }
}

function firstOf(providers: readonly Provider[]): ModelRef | null {
  return providers.map(firstModel).find((model) => model !== null) ?? null
}
