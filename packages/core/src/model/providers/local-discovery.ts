import { z } from 'zod'
import type { Clock } from '../../ports/clock.ts'
import type { LocalServer } from './local-servers.ts'
import { type Provider, unknownModel } from './provider.ts'
import { createProviderFetch } from './provider-fetch.ts'

/** Milliseconds that a server has to answer: on one's own machine that is plenty. */
const TIMEOUT_MS = 300
/** Milliseconds before the servers are asked again. */
const FRESH_MS = 30_000

const modelList = z.object({
  data: z
    .array(z.object({ id: z.string().min(1).max(200), max_model_len: z.int().positive().optional() }))
    .max(500),
})
const NOT_FOR_CHAT = /embed|rerank|whisper/i

/** Finds the model servers of this machine. */
export interface LocalDiscovery {
  /**
   * What was found last. Only the first look is waited for, a third of a second at most; later ones happen in the
   * background, at most every 30 s. Never fails.
   */
  providers(): Promise<Provider[]>
}

export type LocalDiscoveryDeps = {
  servers: readonly LocalServer[]
  fetch: typeof globalThis.fetch
  clock: Clock
}

/** Begins to look at once. */
export function createLocalDiscovery(deps: LocalDiscoveryDeps): LocalDiscovery {
  const { servers, clock } = deps
  let found: Promise<Provider[]> = look()
  let lookedAt = clock.now()

  async function look(): Promise<Provider[]> {
    const answers = await Promise.all(servers.map((server) => ask(server, deps)))
    return answers.filter((provider) => provider !== null)
  }

  function lookAgain(): void {
    lookedAt = clock.now()
    const next = look()
    next.then(() => {
      found = next
    })
  }

  return {
    async providers() {
      if (clock.now() - lookedAt >= FRESH_MS) lookAgain()
      return await found
    },
  }
}

async function ask(server: LocalServer, { fetch, clock }: LocalDiscoveryDeps): Promise<Provider | null> {
  const boundedFetch = createProviderFetch({ fetch, redact: (text) => text, clock })
  const limit = new AbortController()
  using _timer = clock.after(TIMEOUT_MS, () => limit.abort())
  const get = async (path: string): Promise<unknown> => {
    try {
      const response = await boundedFetch(`${server.origin}${path}`, { signal: limit.signal })
      return response.ok ? await response.json() : null
    } catch {
      return null
    }
  }
  const [list, report] = await Promise.all([get('/v1/models'), get(server.detailsPath)])
  const models = modelList.safeParse(list).data?.data.filter(({ id }) => !NOT_FOR_CHAT.test(id)) ?? []
  if (models.length === 0) return null
  const windows = server.readWindows(report)
  return {
    label: server.label,
    connection: { kind: 'openai-compatible', providerId: server.id, baseURL: `${server.origin}/v1`, fetch },
    models: models.map(({ id, max_model_len }) => ({
      ...unknownModel(id),
      contextLimit: windows.get(id) ?? windows.get('*') ?? max_model_len ?? null,
      prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    })),
    unlisted: null,
  }
}
