import { z } from 'zod'
import type { ModelInfo } from '../../domain/model/model.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Connection } from './open-model.ts'
import { createProviderFetch } from './provider-fetch.ts'

/** Milliseconds that a server has to answer. */
const TIMEOUT_MS = 300
/** Milliseconds for which a window is taken as it was reported. */
const FRESH_MS = 30_000

const USUAL_PORT = '11434'

const loaded = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.int().positive() })),
})
const shown = z.object({ parameters: z.string() })

/** True for a provider that is an Ollama server, by its id or its port. */
export function isOllama({ kind, providerId, baseURL }: Connection): boolean {
  if (kind !== 'openai-compatible' || baseURL === undefined) return false
  return /^ollama\b/i.test(providerId) || URL.parse(baseURL)?.port === USUAL_PORT
}

/** Windows of models of Ollama servers, which cut what is longer without an error. */
export type OllamaWindows = {
  /**
   * The model with the window that its server runs it with, or that its model file sets; unchanged where its window is known, where the
   * provider is no Ollama server, and where that does not answer within 300 ms. Does not reject.
   */
  applyTo(info: ModelInfo, connection: Connection): Promise<ModelInfo>
}

export function createOllamaWindows(clock: Pick<Clock, 'after' | 'elapsed' | 'now' | 'turn'>): OllamaWindows {
  const known = new Map<string, { window: number; at: number }>()

  async function windowOf(connection: Connection, modelId: string): Promise<number | null> {
    const key = `${connection.baseURL}\n${modelId}`
    const last = known.get(key)
    if (last !== undefined && clock.now() - last.at < FRESH_MS) return last.window
    const window = await askWindow(connection, modelId, clock)
    if (window !== null) known.set(key, { window, at: clock.now() })
    return window
  }

  return {
    async applyTo(info, connection) {
      if (info.contextLimit !== null || !isOllama(connection)) return info
      return { ...info, contextLimit: await windowOf(connection, info.modelId) }
    },
  }
}

async function askWindow(
  connection: Connection,
  modelId: string,
  clock: Pick<Clock, 'after' | 'elapsed' | 'turn'>,
): Promise<number | null> {
  const { fetch = globalThis.fetch, apiKey, headers, baseURL = '' } = connection
  const boundedFetch = createProviderFetch({ fetch, redact: (text) => text, clock })
  const limit = new AbortController()
  using _timer = clock.after(TIMEOUT_MS, () => limit.abort())
  const ask = async (path: string, body?: object): Promise<unknown> => {
    try {
      const response = await boundedFetch(`${baseURL.replace(/\/v1\/*$/, '')}${path}`, {
        headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers },
        signal: limit.signal,
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      return response.ok ? await response.json() : null
    } catch {
      return null
    }
  }
  const [running, file] = await Promise.all([ask('/api/ps'), ask('/api/show', { model: modelId })])
  const models = loaded.safeParse(running).data?.models ?? []
  const isMeant = (name: string) => name === modelId || name === `${modelId}:latest`
  const set = /^num_ctx\s+(\d+)\s*$/m.exec(shown.safeParse(file).data?.parameters ?? '')?.[1]
  return models.find(({ name }) => isMeant(name))?.context_length ?? (set === undefined ? null : Number(set))
}
