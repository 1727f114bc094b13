import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ProviderKind } from '../provider-config.ts'
import { completeAnthropic } from './complete-anthropic.ts'
import { endingFetch } from './ending-fetch.ts'
import { redactingFetch } from './redacting-fetch.ts'
import { wellFormedFetch } from './well-formed-fetch.ts'

/** How to reach a provider. */
export type Connection = {
  kind: ProviderKind
  providerId: string
  baseURL?: string | undefined
  apiKey?: string | undefined
  api?: 'responses' | 'chat' | undefined
  headers?: Record<string, string> | undefined
  fetch?: typeof globalThis.fetch | undefined
}

/** Models kept of one connection: where any id is taken, callers choose how many there are. */
const KEPT = 100

/** Provider packages build the schema of their answers with each model; a model is kept as long as its connection. */
const opened = new WeakMap<Connection, Map<string, LanguageModelV4>>()

/** A model of a provider package, without a request being made. */
export function openModel(connection: Connection, modelId: string): LanguageModelV4 {
  const models = opened.get(connection) ?? new Map<string, LanguageModelV4>()
  if (models.size >= KEPT) models.clear()
  const model = models.get(modelId) ?? createModel(connection, modelId)
  opened.set(connection, models.set(modelId, model))
  return model
}

function createModel(connection: Connection, modelId: string): LanguageModelV4 {
  const { kind, providerId, baseURL, apiKey, headers } = connection
  const plain = connection.fetch ?? globalThis.fetch
  const settings = {
    ...(baseURL !== undefined && { baseURL }),
    ...keyOf(kind, apiKey),
    ...(headers !== undefined && { headers }),
    fetch: wellFormedFetch(endingFetch(apiKey === undefined ? plain : redactingFetch(plain, apiKey))),
  }
  switch (kind) {
    case 'openai': {
      const openai = createOpenAI(settings)
      return connection.api === 'chat' ? openai.chat(modelId) : openai.responses(modelId)
    }
    case 'openai-compatible':
      return createOpenAICompatible({
        ...settings,
        baseURL: baseURL ?? '',
        name: providerId,
        includeUsage: true,
      })(modelId)
    case 'anthropic':
      return completeAnthropic(createAnthropic(settings)(modelId))
    case 'google':
      return createGoogle(settings)(modelId)
  }
}

/** Given no key at all, the packages of the big providers would look for one in the process's environment. */
function keyOf(kind: ProviderKind, apiKey: string | undefined): { apiKey?: string } {
  if (apiKey !== undefined) return { apiKey }
  return kind === 'openai-compatible' ? {} : { apiKey: 'none' }
}
