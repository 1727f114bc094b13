import { AppError } from '../../domain/errors.ts'
import type { ModelRef } from '../../domain/model/model.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Models, OpenModel } from '../../ports/models.ts'
import { configuredProviders, type ProviderSources } from './configured-providers.ts'
import { createListedProviders } from './listed-providers.ts'
import { createLocalDiscovery } from './local-discovery.ts'
import { LOCAL_SERVERS, type LocalServer } from './local-servers.ts'
import { createOllamaWindows } from './ollama-windows.ts'
import type { Provider } from './provider.ts'
import { cheapSibling, firstModel, infoOf, infosOf, openWithWindow } from './provider-models.ts'

export type ModelsDeps = ProviderSources & {
  clock: Clock
  /** Models that the host brings and that need no connection, such as a demo model; the first is the one to start with. */
  builtIn: readonly OpenModel[]
  /** Looks for model servers on this machine; a list replaces the usual places. */
  discover: boolean | readonly LocalServer[]
}

/** The models of every provider that can be called: configured, found on this machine, and built in. */
export function createModels(deps: ModelsDeps): Models {
  const { clock } = deps
  const configured = createListedProviders(configuredProviders(deps), clock)
  const servers = deps.discover === true ? LOCAL_SERVERS : deps.discover || []
  const local = createLocalDiscovery({ servers, fetch: deps.fetch ?? globalThis.fetch, clock })
  const ollama = createOllamaWindows(clock)
  const builtIn = deps.builtIn.map(({ info }) => info)
  const isBuiltIn = (ref: ModelRef) => builtIn.some(({ providerId }) => providerId === ref.providerId)
  const builtInOf = ({ providerId, modelId }: ModelRef) =>
    deps.builtIn.find(({ info }) => info.providerId === providerId && info.modelId === modelId)

  /** Asks the machine's servers only when no configured provider has that id. */
  async function providerOf(id: string): Promise<Provider | undefined> {
    const has = ({ connection }: Provider) => connection.providerId === id
    return configured.known().find(has) ?? (await local.providers()).find(has)
  }

  async function open(ref: ModelRef): Promise<OpenModel> {
    const own = builtInOf(ref)
    if (own !== undefined) return own
    return await openWithWindow(await providerOf(ref.providerId), ref, { clock, ollama })
  }

  return {
    async list() {
      const [first, found] = await Promise.all([configured.providers(), local.providers()])
      return [...[...first, ...found].flatMap(infosOf), ...builtIn]
    },
    async find(ref) {
      if (isBuiltIn(ref)) return builtInOf(ref)?.info ?? null
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
      const [own] = builtIn
      if (own !== undefined) return { providerId: own.providerId, modelId: own.modelId }
      const found = firstOf(await local.providers())
      if (found !== null) return found
      throw new AppError('MODEL_NOT_FOUND', 'No model is set up. Set an API key or configure a provider.')
    },
    async cheapSibling(ref) {
      if (isBuiltIn(ref)) {
        const siblings = builtIn.filter(({ providerId }) => providerId === ref.providerId)
        return cheapSibling(ref, siblings, builtInOf(ref)?.info ?? null)
      }
      const provider = await providerOf(ref.providerId)
      return cheapSibling(ref, provider ? infosOf(provider) : [], provider ? infoOf(provider, ref) : null)
    },
  }
}

function firstOf(providers: readonly Provider[]): ModelRef | null {
  return providers.map(firstModel).find((model) => model !== null) ?? null
}
