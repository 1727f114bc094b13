import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ProviderKind } from '../../domain/model/provider.ts'
import { createSecretRedactor } from '../../domain/values/secret-redactor.ts'
import type { Clock } from '../../ports/clock.ts'
import { completeAnthropic } from './complete-anthropic.ts'
import { secretsOf } from './connection-secrets.ts'
import { createProviderFetch } from './provider-fetch.ts'
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

/** What is kept of a connection. Provider packages build the schema of their answers with each model. */
type Opened = { models: Map<string, LanguageModelV4>; redact: (text: string) => string }

const opened = new WeakMap<Connection, Opened>()

function openedOf(connection: Connection): Opened {
  const known = opened.get(connection)
  if (known !== undefined) return known
  const fresh: Opened = { models: new Map(), redact: createSecretRedactor(secretsOf(connection)) }
  opened.set(connection, fresh)
  return fresh
}

/**
 * A model of a provider package, without a request being made, and the function that takes the connection's secrets out
 * of a text.
 */
export function openModel(
  connection: Connection,
  modelId: string,
  clock: Pick<Clock, 'elapsed' | 'turn'>,
): { model: LanguageModelV4; redact: (text: string) => string } {
  const { models, redact } = openedOf(connection)
  if (models.size >= KEPT) models.clear()
  const plain = connection.fetch ?? globalThis.fetch
  const guarded = () => createProviderFetch({ fetch: plain, redact, clock })
  const model = models.get(modelId) ?? createModel({ ...connection, fetch: guarded() }, modelId)
  models.set(modelId, model)
  return { model, redact }
}

type GuardedConnection = Connection & { fetch: typeof globalThis.fetch }

function createModel(connection: GuardedConnection, modelId: string): LanguageModelV4 {
  const { kind, providerId, baseURL, apiKey, headers, fetch } = connection
  const settings = {
    ...(baseURL !== undefined && { baseURL }),
    ...keyOf(kind, apiKey),
    ...(headers !== undefined && { headers }),
    fetch: wellFormedFetch(fetch),
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
