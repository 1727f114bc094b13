import { z } from 'zod'
import type { ListedModel } from '../../domain/model/provider.ts'
import { createSecretRedactor } from '../../domain/values/secret-redactor.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Listing } from '../../ports/providers.ts'
import { redact } from '../redact.ts'
import { RefusedAnswerError } from '../refused-answer.ts'
import { secretsOf } from './connection-secrets.ts'
import type { Connection } from './open-model.ts'
import { createProviderFetch } from './provider-fetch.ts'

/** Milliseconds that a provider has to list its models. */
const TIMEOUT_MS = 10_000
/** Models that are taken from one list; the rest is left. */
const MAX_MODELS = 1_000

const tokens = z.int().positive().optional().catch(undefined)
const modelId = z.string().min(1).max(200)
/** Beside the id, the names under which servers report the window of a model. */
const openAiModel = z.object({
  id: modelId,
  max_model_len: tokens,
  context_length: tokens,
  context_window: tokens,
})
const googleModel = z.object({
  name: modelId,
  inputTokenLimit: tokens,
  supportedGenerationMethods: z.array(z.string()).catch(['generateContent']),
})
const openAiList = z.object({ data: z.array(z.unknown()) })
const googleList = z.object({ models: z.array(z.unknown()) })

/**
 * Reads the models that a provider lists at its own address. Ends within 10 s. A failure is returned in the provider's
 * words, at most 300 characters without its secrets. Does not reject.
 */
export async function listModels(
  connection: Connection,
  clock: Pick<Clock, 'after' | 'elapsed' | 'turn'>,
  signal?: AbortSignal,
): Promise<Listing> {
  const withoutSecrets = createSecretRedactor(secretsOf(connection))
  const fetch = createProviderFetch({
    fetch: connection.fetch ?? globalThis.fetch,
    redact: withoutSecrets,
    clock,
  })
  const limit = new AbortController()
  using _timer = clock.after(TIMEOUT_MS, () => limit.abort())
  const signals = signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal])
  try {
    const response = await fetch(addressOf(connection), { headers: headersOf(connection), signal: signals })
    const text = await response.text()
    if (!response.ok) return failed(withoutSecrets(refusal(response.status, text)))
    const models = readList(connection, parse(text))
    return models === null
      ? failed('The server answered, but not with a list of models.')
      : { ok: true, models: models.slice(0, MAX_MODELS) }
  } catch (error) {
    return failed(
      withoutSecrets(limit.signal.aborted ? 'The server did not answer within 10 s.' : reasonOf(error)),
    )
  }
}

function failed(words: string): Listing {
  return { ok: false, message: redact(words) }
}

const OWN_ADDRESS = {
  openai: 'https://api.openai.com/v1',
  'openai-compatible': '',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const
const PAGE_SIZE = { openai: '', 'openai-compatible': '', anthropic: '?limit=1000', google: '?pageSize=1000' }

function addressOf({ kind, baseURL }: Connection): string {
  const url = new URL(baseURL ?? OWN_ADDRESS[kind])
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/models`
  // What the address carries after its path is sent with it.
  if (url.search === '') url.search = PAGE_SIZE[kind]
  return url.href
}

function headersOf({ kind, apiKey, headers }: Connection): Record<string, string> {
  return { ...keyHeaders(kind, apiKey), ...headers }
}

function keyHeaders(kind: Connection['kind'], apiKey: string | undefined): Record<string, string> {
  const version: Record<string, string> = kind === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {}
  if (apiKey === undefined) return version
  if (kind === 'anthropic') return { ...version, 'x-api-key': apiKey }
  return kind === 'google' ? { 'x-goog-api-key': apiKey } : { authorization: `Bearer ${apiKey}` }
}

/** Null for what is no list; what is no model is left out of one. */
function readList({ kind }: Connection, answer: unknown): ListedModel[] | null {
  const items =
    kind === 'google' ? googleList.safeParse(answer).data?.models : openAiList.safeParse(answer).data?.data
  if (items === undefined) return null
  const models = items.flatMap((item) => (kind === 'google' ? ofGoogle(item) : ofOpenAi(item)))
  return models.length === 0 && items.length > 0 ? null : chatsFirst(unique(models))
}

function ofGoogle(item: unknown): ListedModel[] {
  const { data } = googleModel.safeParse(item)
  if (data === undefined || !data.supportedGenerationMethods.includes('generateContent')) return []
  return [listed(data.name.replace(/^models\//, ''), data.inputTokenLimit)]
}

function ofOpenAi(item: unknown): ListedModel[] {
  const { data } = openAiModel.safeParse(item)
  if (data === undefined) return []
  return [listed(data.id, data.max_model_len ?? data.context_length ?? data.context_window)]
}

function listed(id: string, contextLimit: number | undefined): ListedModel {
  return { modelId: id, ...(contextLimit !== undefined && { contextLimit }) }
}

function unique(models: readonly ListedModel[]): ListedModel[] {
  return [...new Map(models.map((model) => [model.modelId, model])).values()]
}

const NOT_FOR_CHAT = /embed|rerank|whisper|tts|moderation/i

/** A new chat starts with the first one. */
function chatsFirst(models: readonly ListedModel[]): ListedModel[] {
  const isOther = ({ modelId }: ListedModel) => NOT_FOR_CHAT.test(modelId)
  return [...models.filter((model) => !isOther(model)), ...models.filter(isOther)]
}

const words = z.string().trim().min(1)
const reported = z.union([
  z.object({ error: z.object({ message: words }) }).transform(({ error }) => error.message),
  z.object({ error: words }).transform(({ error }) => error),
  z.object({ message: words }).transform(({ message }) => message),
  z.object({ detail: words }).transform(({ detail }) => detail),
])

/** The status, and what the provider said. A page for people is left out. */
function refusal(status: number, text: string): string {
  const said = reported.safeParse(parse(text)).data ?? (/^\s*[<{[]/.test(text) ? '' : text.trim())
  return said === '' ? `HTTP ${status}` : `HTTP ${status}: ${said}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const NETWORK: readonly [code: RegExp, words: string][] = [
  [/ECONNREFUSED/, 'Nothing answers at this address: the connection was refused.'],
  [/ENOTFOUND|EAI_AGAIN/, 'There is no server of this name.'],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/, 'The certificate of this server is not valid.'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, 'The server cannot be reached from here.'],
]

function reasonOf(error: unknown): string {
  if (error instanceof RefusedAnswerError) return error.message
  const codes: string[] = []
  for (let cause = error; cause instanceof Error && codes.length < 8; cause = cause.cause)
    codes.push('code' in cause ? String(cause.code) : cause.name)
  return (
    NETWORK.find(([code]) => codes.some((one) => code.test(one)))?.[1] ??
    'The connection to the server failed.'
  )
}
