import type { ListedModel } from '../../domain/model/provider.ts'
import type { Clock } from '../../ports/clock.ts'
import { listModels } from './list-models.ts'
import { type Provider, unknownModel, withSettings } from './provider.ts'

/** Milliseconds that a caller waits for the first lists. */
const FIRST_WAIT_MS = 300
/** Milliseconds before a list is read again. */
const FRESH_MS = 5 * 60_000

/** Providers with the models that their servers list. */
export interface ListedProviders {
  /** With what is known now. */
  known(): readonly Provider[]
  /** The same after the first lists have come, 300 ms at most. Lists are read again in the background, at most every 5 minutes. */
  providers(): Promise<readonly Provider[]>
}

/** Lists the models of those providers that have an address of their own and accept ids that are not configured. */
export function createListedProviders(configured: readonly Provider[], clock: Clock): ListedProviders {
  const lists = new Map<Provider, readonly ListedModel[]>()
  const open = configured.filter(
    ({ connection, unlisted }) => unlisted !== null && connection.baseURL !== undefined,
  )
  let readAt: number | null = null
  let first: Promise<unknown> = Promise.resolve()

  async function read(provider: Provider): Promise<void> {
    const listing = await listModels(provider.connection, clock)
    if (listing.ok) lists.set(provider, listing.models)
  }

  function readAgain(): void {
    const isFirst = readAt === null
    readAt = clock.now()
    const all = Promise.all(open.map(read))
    if (isFirst) first = Promise.race([all, clock.sleep(FIRST_WAIT_MS).catch(() => undefined)])
  }

  const known = () => configured.map((provider) => withListed(provider, lists.get(provider) ?? []))
  return {
    known,
    async providers() {
      if (open.length > 0 && (readAt === null || clock.now() - readAt >= FRESH_MS)) readAgain()
      await first
      return known()
    },
  }
}

function withListed(provider: Provider, listed: readonly ListedModel[]): Provider {
  const others = listed.filter(({ modelId }) => !provider.models.some((model) => model.modelId === modelId))
  if (others.length === 0) return provider
  const models = others.map(({ modelId, contextLimit }) =>
    withSettings(unknownModel(modelId), {
      ...(contextLimit !== undefined && { contextLimit }),
      ...provider.unlisted,
    }),
  )
  return { ...provider, models: [...provider.models, ...models] }
}
