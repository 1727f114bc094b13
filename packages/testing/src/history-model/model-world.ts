import {
  type CompactionSettings,
  type Core,
  type CorePorts,
  createCore,
  createMemoryLiveStreams,
  createMemorySessionEvents,
  type SessionService,
  systemClock,
} from '@palimpsest/core'
import type { ChatMessage, SessionEvent } from '@palimpsest/core/domain'
import { z } from 'zod'
import { defineTool } from '../../../core/src/tool/tool.ts'
import { silentLogger } from '../core-lab.ts'
import { createLabProviders } from '../lab-providers.ts'
import { createMemoryBlobs } from '../memory-blobs.ts'
import { createMemoryFiles } from '../memory-files.ts'
import { createMemoryStore } from '../memory-store/memory-store.ts'
import { createMemoryVault } from '../memory-vault.ts'
import { createMemoryWorkspaces } from '../memory-workspaces.ts'
import { createFakeModels, type FakeModels } from './fake-models.ts'
import { addMessage, compact, createReference, type Reference } from './reference.ts'

/** A session with its reference. */
export type ModelSession = {
  id: string
  reference: Reference
  /** What its messages held when they were finished. */
  finished: Map<string, string>
  /** The messages that each operation's events hid. */
  hidden: Map<string, readonly string[]>
  /** Calls whose condensed outputs are to be seen whole. */
  whole: Set<string>
}

export function modelSession(id: string): ModelSession {
  return { id, reference: createReference(), finished: new Map(), hidden: new Map(), whole: new Set() }
}

/** A core on a memory store and models without a network, beside the reference that it is held to. */
export type ModelWorld = AsyncDisposable & {
  readonly core: Core
  readonly sessions: SessionService
  readonly ports: CorePorts
  readonly models: FakeModels
  readonly all: ModelSession[]
  /** The session that commands are about. */
  current: ModelSession
  /** Grows with each command; makes texts and ids of their own. */
  count: number
  /** Takes note of what runs have added and summarised, in the order in which they did. */
  learn(): void
  /** Waits until nothing runs and nothing that could run waits, then learns. */
  calm(): Promise<void>
}

const look = defineTool({
  id: 'look',
  description: 'Looks',
  input: z.object({ characters: z.number() }),
  requires: () => [],
  execute: ({ characters }) => Promise.resolve({ text: 'seen '.repeat(characters / 5) }),
})

/** `compaction` overrides the compaction settings; no summary is written beforehand. */
export async function openModelWorld(compaction: CompactionSettings = {}): Promise<ModelWorld> {
  const models = createFakeModels()
  const clock = systemClock
  const ports: CorePorts = {
    store: await createMemoryStore(),
    blobs: createMemoryBlobs(clock),
    live: createMemoryLiveStreams({ clock, graceMs: 0 }),
    events: createMemorySessionEvents({ logger: silentLogger }),
    models,
    providers: createLabProviders(),
    vault: createMemoryVault(),
    clock,
    logger: silentLogger,
    files: createMemoryFiles(),
    workspaces: createMemoryWorkspaces(),
    random: () => 0.5,
  }
  const core = createCore(ports, {
    platform: 'test',
    gitStatus: () => Promise.resolve(null),
    agent: { tools: [look], maxSteps: 5 },
    runs: { maxTries: 1 },
    compaction: { precompute: false, ...compaction },
  })
  const events: SessionEvent[] = []
  let wake: () => void = () => undefined
  ports.events.subscribe(null, (event) => {
    events.push(event)
    if (event.type === 'message-settled') wake()
  })
  const { id } = await core.sessions.create({ title: 'Model' })
  const first = modelSession(id)

  const world: ModelWorld = {
    core,
    sessions: core.sessions,
    ports,
    models,
    all: [first],
    current: first,
    count: 0,

    learn() {
      for (const event of events.splice(0)) {
        const session = world.all.find((known) => known.id === event.sessionId)
        if (session !== undefined) note(session, event)
      }
    },

    async calm() {
      for (;;) {
        const { state } = await core.sessions.status(world.current.id)
        const queue = await core.sessions.queue.list(world.current.id)
        if (state === 'busy' || state === 'retrying') {
          const settled = new Promise<void>((resolve) => {
            wake = resolve
          })
          if ((await core.sessions.status(world.current.id)).state === 'busy') await settled
        } else if (queue.length === 0 || state === 'error') break
        await new Promise((resolve) => setImmediate(resolve))
      }
      await new Promise((resolve) => setImmediate(resolve))
      world.learn()
    },

    async [Symbol.asyncDispose]() {
      await core.shutdown(0)
    },
  }
  return world
}

function note({ reference, finished, hidden }: ModelSession, event: SessionEvent): void {
  if (event.type === 'message-hidden') hidden.set(event.hiddenBy, event.messageIds)
  if (event.type === 'message-settled') learnMessage(reference, finished, event.message)
  if (event.type === 'message-added' && event.message.role === 'user')
    learnMessage(reference, finished, event.message)
  if (event.type === 'history' && event.operation.kind === 'compaction') {
    const { id, detail } = event.operation
    compact(reference, detail.summaryMessageId ?? '', hidden.get(id) ?? [], id)
  }
}

function learnMessage(reference: Reference, finished: Map<string, string>, message: ChatMessage): void {
  addMessage(reference, message.id, message.role)
  finished.set(message.id, JSON.stringify(message.parts))
}
