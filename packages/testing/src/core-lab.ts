import {
  type Core,
  type CorePorts,
  type CoreSettings,
  createCore,
  createMemoryLiveStreams,
  createMemorySessionEvents,
  type SendResult,
  type SessionService,
  systemClock,
} from '@palimpsest/core'
import type { ChatChunk, ChatMessage, SessionEvent } from '@palimpsest/core/domain'
import type { Logger } from '@palimpsest/core/ports'
import { createLabModels, type LabModelInfo } from './lab-models.ts'
import { createLabProviders } from './lab-providers.ts'
import { createMemoryBlobs } from './memory-blobs.ts'
import { createMemoryFiles } from './memory-files.ts'
import { createMemoryStore } from './memory-store/memory-store.ts'
import { createMemoryVault } from './memory-vault.ts'
import { createMemoryWorkspaces } from './memory-workspaces.ts'
import { type ProviderRequest, type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'
import { reply } from './scripted-provider-reply.ts'

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

export type CoreLab = AsyncDisposable & {
  readonly core: Core
  readonly sessions: SessionService
  readonly ports: CorePorts
  readonly provider: ScriptedProvider
  /** Sends a text to a session, by default to a new one. */
  say(text: string, sessionId?: string): Promise<SendResult & { sessionId: string; runId: string }>
  /** Requests that were answered with a stream: the steps of runs, without titles. */
  readonly steps: ProviderRequest[]
  /** Resolves with the next event for which `matches`, counted from this call. */
  event<T extends SessionEvent>(matches: (event: SessionEvent) => event is T): Promise<T>
  /** All chunks of a run, once it has ended. */
  chunksOf(sessionId: string, runId: string): Promise<ChatChunk[]>
  /** Sends a text and waits for the run's end. */
  turn(
    text: string,
    sessionId?: string,
  ): Promise<{ sessionId: string; runId: string; chunks: ChatChunk[]; messages: ChatMessage[] }>
}

/** A whole core on a memory store and a scripted provider. Requests for titles are answered by the way. */
export async function openCoreLab(
  overrides: Partial<CorePorts> = {},
  settings: Partial<CoreSettings> = {},
  info: LabModelInfo = {},
): Promise<CoreLab> {
  const provider = await startScriptedProvider()
  provider.intercept(({ body }) =>
    JSON.stringify(body).includes('Write a title') ? reply({ text: 'A title' }) : null,
  )
  const clock = overrides.clock ?? systemClock
  const ports: CorePorts = {
    store: overrides.store ?? (await createMemoryStore()),
    blobs: createMemoryBlobs(clock),
    live: createMemoryLiveStreams({ clock }),
    events: createMemorySessionEvents({ logger: silentLogger }),
    models: createLabModels(provider.baseURL, info),
    providers: createLabProviders(),
    vault: createMemoryVault(),
    clock,
    logger: silentLogger,
    files: createMemoryFiles(),
    workspaces: createMemoryWorkspaces(),
    random: () => 0.5,
    ...overrides,
  }
  const core = createCore(ports, {
    platform: 'test',
    gitStatus: () => Promise.resolve(null),
    ...settings,
  })
  const { sessions } = core

  async function chunksOf(sessionId: string, runId: string): Promise<ChatChunk[]> {
    return (await Array.fromAsync(sessions.stream({ sessionId, runId }))).flat()
  }

  async function say(text: string, sessionId?: string) {
    const id = sessionId ?? (await sessions.create({})).id
    const sent = await sessions.send({ sessionId: id, message: { parts: [{ type: 'text', text }] } })
    return { ...sent, sessionId: id, runId: sent.runId ?? '' }
  }

  return {
    core,
    sessions,
    ports,
    provider,
    say,
    chunksOf,
    get steps() {
      return provider.requests.filter(({ body }) => body['stream'] === true)
    },
    event: (matches) =>
      new Promise((resolve) => {
        const subscription = ports.events.subscribe(null, (event) => {
          if (!matches(event)) return
          subscription[Symbol.dispose]()
          resolve(event)
        })
      }),
    async turn(text, sessionId) {
      const sent = await say(text, sessionId)
      const chunks = await chunksOf(sent.sessionId, sent.runId)
      const { items } = await sessions.messages({ sessionId: sent.sessionId })
      return { ...sent, chunks, messages: items }
    },
    async [Symbol.asyncDispose]() {
      await core.shutdown(0)
      await ports.store[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}
