import { isObject } from '@palimpsest/core/domain'

export const SEARCH_KINDS = ['searxng', 'brave', 'tavily', 'exa'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

/** Results that are asked for, and characters of the text of one where the service takes a limit. */
const COUNT = 10
const TEXT_CHARACTERS = 500

export type SearchRequest = { path: string; headers: Record<string, string>; body?: object }

/** A service as its documentation describes it. */
type SearchService = {
  /** Without it the operator states the address. */
  baseURL: string | null
  request(query: string, apiKey: string): SearchRequest
  /** The list of results in an answer. */
  results(answer: unknown): unknown
  /** The field of a result that holds its text; the address is in `url`, the title in `title`. */
  text: string
}

export const SEARCH_SERVICES: Record<SearchKind, SearchService> = {
  searxng: {
    baseURL: null,
    request: (query) => ({
      path: `search?${new URLSearchParams({ q: query, format: 'json' })}`,
      headers: {},
    }),
    results: (answer) => field(answer, 'results'),
    text: 'content',
  },
  brave: {
    baseURL: 'https://api.search.brave.com/',
    request: (query, apiKey) => ({
      path: `res/v1/web/search?${new URLSearchParams({ q: query, count: String(COUNT) })}`,
      headers: { 'x-subscription-token': apiKey },
    }),
    results: (answer) => field(field(answer, 'web'), 'results'),
    text: 'description',
  },
  tavily: {
    baseURL: 'https://api.tavily.com/',
    request: (query, apiKey) => ({
      path: 'search',
      headers: { authorization: `Bearer ${apiKey}` },
      body: { query, max_results: COUNT },
    }),
    results: (answer) => field(answer, 'results'),
    text: 'content',
  },
  exa: {
    baseURL: 'https://api.exa.ai/',
    request: (query, apiKey) => ({
      path: 'search',
      headers: { 'x-api-key': apiKey },
      body: { query, numResults: COUNT, contents: { text: { maxCharacters: TEXT_CHARACTERS } } },
    }),
    results: (answer) => field(answer, 'results'),
    text: 'text',
  },
}

function field(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined
}
