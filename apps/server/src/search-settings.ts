import { SEARCH_SERVICES, type SearchKind } from './adapters/web/search-services.ts'
import type { SearchSettings } from './adapters/web/web-search.ts'
import type { Config } from './config-file.ts'
import type { Env } from './env.ts'

/** The keys of the environment, in the order in which the first one that is set is taken. */
const KEYS: readonly (readonly [SearchKind, keyof Env])[] = [
  ['brave', 'BRAVE_API_KEY'],
  ['tavily', 'TAVILY_API_KEY'],
  ['exa', 'EXA_API_KEY'],
]

/**
 * The service that searches the web: that of the configuration, else a SearXNG server of the environment, else the first with a
 * key there. Null without any, and when the variable that holds the configured key is not set.
 */
export function searchSettings(
  { search }: Pick<Config['web'], 'search'>,
  env: Env,
  readSecret: (ref: { env: string }) => string | undefined,
): SearchSettings | null {
  if (search !== undefined) {
    const { kind } = search
    const baseURL = search.baseURL ?? SEARCH_SERVICES[kind].baseURL
    const apiKey = search.apiKey === undefined ? '' : readSecret(search.apiKey)
    return baseURL === null || apiKey === undefined ? null : { kind, baseURL, apiKey }
  }
  if (env.SEARXNG_URL !== undefined) return { kind: 'searxng', baseURL: env.SEARXNG_URL, apiKey: '' }
  for (const [kind, name] of KEYS) {
    const { baseURL } = SEARCH_SERVICES[kind]
    const apiKey = env[name]
    if (typeof apiKey === 'string' && baseURL !== null) return { kind, baseURL, apiKey }
  }
  return null
}
