import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ChatChunk } from '@palimpsest/core/domain'
import { ATTACKS } from '../attacks/attacks.ts'
import { startChild, startProbed } from '../processes/child.ts'
import { OURS, serverSettings } from './lab.ts'
import { serverSentEvents } from './server-sent-events.ts'

/** The real server before a provider that attacks it. */
export type AttackTarget = AsyncDisposable & {
  /** Sends a message that the provider answers with an attack; returns how the run ended. */
  attack(index: number): Promise<string>
  /** Sends a request of nested arrays; returns the status of its answer. */
  nestedRequest(): Promise<string>
  /** The longest time in milliseconds for which the server's loop was blocked since the last call. */
  longestBlockMs(): Promise<number>
}

const PROVIDER = fileURLToPath(new URL('../processes/hostile-provider.ts', import.meta.url))
const REQUEST_BYTES = 16 * 1024 * 1024 - 1024

/** `scale` below 1 shortens what the provider and the caller send. */
export async function openAttackTarget(scale: number): Promise<AttackTarget> {
  await using opening = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-attacks-'))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  const provider = opening.use(await startChild(PROVIDER, [String(scale)]))
  const settings = await serverSettings(folder, provider.url)
  const config = join(folder, 'attacks.config.json')
  await writeFile(config, JSON.stringify({ providers: providersAt(provider.url) }))
  const environment = { ...settings, PALIMPSEST_CONFIG: config, LOG_LEVEL: 'fatal', BENCH_KEY: 'none' }
  const server = opening.use(await startProbed(OURS, [], environment))
  const opened = opening.move()
  return {
    attack: (index) => attack(server.url, index),
    async nestedRequest() {
      const levels = Math.round((REQUEST_BYTES * scale) / 2)
      const { status } = await post(server.url, 'session.send', `${'['.repeat(levels)}${']'.repeat(levels)}`)
      return `HTTP ${status}`
    },
    longestBlockMs: () => server.longestBlockMs(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A provider of each format that attacks come in, by its kind. */
function providersAt(url: string) {
  const kinds = new Set(ATTACKS.map(({ format }) => format.kind))
  const models = { m1: { contextLimit: 8_000_000, maxOutput: 4_096 } }
  return Object.fromEntries(
    [...kinds].map((kind) => [kind, { kind, baseURL: url, apiKey: { env: 'BENCH_KEY' }, models }]),
  )
}

async function attack(url: string, index: number): Promise<string> {
  const providerId = ATTACKS[index]?.format.kind
  const { id: sessionId } = await mutate<{ id: string }>(url, 'session.create', {
    title: 'Bench',
    model: { providerId, modelId: 'm1' },
  })
  const message = { parts: [{ type: 'text', text: `attack:${index}` }] }
  const { runId } = await mutate<{ runId: string }>(url, 'session.send', { sessionId, message })
  return await endOf(url, { sessionId, runId })
}

/** Reads a run to its end: the name of a failure, or that it finished. */
async function endOf(url: string, run: { sessionId: string; runId: string }): Promise<string> {
  const input = encodeURIComponent(JSON.stringify(run))
  const response = await fetch(`${url}/trpc/session.stream?input=${input}`)
  let last: ChatChunk | undefined
  for await (const chunks of serverSentEvents(response)) {
    // A run's stream carries arrays of chunks.
    if (Array.isArray(chunks)) last = (chunks as ChatChunk[]).at(-1) ?? last
  }
  return last?.type === 'error' ? last.errorText : (last?.type ?? 'nothing')
}

async function mutate<T>(url: string, procedure: string, input: object): Promise<T> {
  const response = await post(url, procedure, JSON.stringify(input))
  if (!response.ok) throw new Error(`${procedure} answered ${response.status}: ${await response.text()}`)
  // The envelope that tRPC documents.
  return ((await response.json()) as { result: { data: T } }).result.data
}

function post(url: string, procedure: string, body: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/trpc/${procedure}`, { method: 'POST', headers, body })
}
