import { createCore, createMemoryLiveStreams, createMemorySessionEvents, systemClock } from '@palimpsest/core'
import type { ModelInfo, PermissionRule } from '@palimpsest/core/domain'
import type { Clock, DemoFolder, Hook, McpServers, SandboxInfo } from '@palimpsest/core/ports'
import {
  createLabProviders,
  createMemoryBlobs,
  createMemoryFiles,
  createMemorySnapshots,
  createMemoryStore,
  createMemoryVault,
  createMemoryWorkspaces,
  createScriptedProcesses,
  silentLogger,
  wrapNothing,
} from '@palimpsest/testing'
import { cleanup } from '@testing-library/react'
import { vi } from 'vitest'
import { openChatPage } from './chat-page.tsx'
import { openLine } from './open-line.ts'
import { createScriptedModels } from './scripted-models.ts'

export type ChatLabOptions = {
  /** Models beside `m1`, which is the default, and `m2`. */
  models?: readonly ModelInfo[]
  /** True when no rule allows a call, so that each is asked about. */
  asksAlways?: boolean
  /** Whether a rewind takes the files of the workspace along. */
  snapshots?: boolean
  /** Rules of the configuration. */
  projectRules?: readonly PermissionRule[]
  /** Whether commands run; what they print and when they end is for the test to say. */
  runsCommands?: boolean
  /** What keeps commands from the rest of the machine. */
  sandbox?: SandboxInfo
  mcp?: McpServers
  /** Hooks of the operator, in order. */
  hooks?: readonly Hook[]
  /** The folders that chats may work in. */
  folders?: readonly string[]
  /** False when a chat that names no folder has none. */
  hasDefault?: false
  /** The folder of the demo model. */
  demo?: DemoFolder
  /** Texts of files in each folder, by path. */
  files?: Readonly<Record<string, string>>
}

/** A server in this process and pages of it: core and router are real, models are scripted. */
export async function openChatLab(options: ChatLabOptions = {}) {
  const { models: more, asksAlways = false, snapshots = false, projectRules = [] } = options
  const { runsCommands = false, sandbox = { kind: 'none' }, folders = ['/workspace'] } = options
  const workspaces = createMemoryWorkspaces(folders, {
    ...(options.hasDefault === false && { defaultFolder: null }),
    demo: options.demo ?? null,
  })
  const commands = createScriptedProcesses()
  const models = createScriptedModels(more)
  const clock = createTickingClock()
  const workspace = createMemorySnapshots()
  const store = await createMemoryStore()
  const core = createCore(
    {
      store,
      blobs: createMemoryBlobs(clock),
      live: createMemoryLiveStreams({ clock }),
      events: createMemorySessionEvents({ logger: silentLogger }),
      models,
      providers: createLabProviders(),
      vault: createMemoryVault(),
      clock,
      logger: silentLogger,
      files: createMemoryFiles(options.files),
      workspaces,
      random: () => 0.5,
      ...(options.mcp && { mcp: options.mcp }),
      ...(options.hooks && { hooks: options.hooks }),
      ...(snapshots && { snapshots: workspace }),
      ...(runsCommands && {
        processes: commands.processes,
        sandbox: { info: sandbox, probe: () => Promise.resolve(sandbox), wrap: wrapNothing },
      }),
    },
    {
      platform: 'test',
      gitStatus: () => Promise.resolve(null),
      projectRules,
      ...(asksAlways && { agent: { rules: [] } }),
    },
  )
  const { sessions } = core
  const system = {
    snapshots,
    sandbox,
    workspaces: [...folders],
    defaultWorkspace: workspaces.defaultFolder,
    demoWorkspace: workspaces.demo?.root ?? null,
    asksWithoutFolder: options.mcp !== undefined,
  }
  const connect = () => openLine(core, system)
  const open = (path: string, line = connect()) => openChatPage(path, line)
  layOut()

  async function talk(texts: readonly string[], sessionId?: string): Promise<string> {
    const id = sessionId ?? (await sessions.create({ title: (texts[0] ?? 'A chat').slice(0, 80) })).id
    for (const text of texts) {
      const { runId } = await sessions.send({ sessionId: id, message: { parts: [{ type: 'text', text }] } })
      if (runId !== undefined) await Array.fromAsync(sessions.stream({ sessionId: id, runId }))
    }
    return id
  }

  return {
    models,
    store,
    sessions,
    /** The commands that were started, in order. */
    commands: commands.started,
    /** The files of the workspace by path, where a rewind takes them along. */
    files: workspace.filesOf('/workspace'),
    /** From now on no file can be restored. */
    breakFiles() {
      workspace.move = () => Promise.reject(new Error('The disk is full'))
    },
    /** Opens the page at a path, as a browser that was there before would, by default over a line of its own. */
    open,
    connect,
    /** Says these things in a session, one after the other, from elsewhere; each is answered with `A reply.` */
    talk,
    /** Opens a chat in which these things were said, once it shows them. */
    async openTalk(...texts: string[]) {
      const id = await talk(texts)
      const chat = open(`/s/${id}`)
      await chat.reads(texts.at(-1) ?? '')
      return Object.assign(chat, { id })
    },
    /** Sends words on a page whose reply begins with others, and waits for these; the answer goes on with it. */
    async beginReply(chat: ReturnType<typeof open>, prompt: string, words: string) {
      models.answer(null)
      await chat.send(prompt)
      const speaker = await models.speaker()
      speaker.say(words)
      await chat.reads(words.trim())
      return speaker
    },
    async [Symbol.asyncDispose]() {
      cleanup()
      vi.restoreAllMocks()
      vi.unstubAllGlobals()
      localStorage.clear()
      sessionStorage.clear()
      await core.shutdown(0)
      await store[Symbol.asyncDispose]()
    },
  }
}

/** Advances at every reading: a branch's own messages are distinguished from its copied ones by time. */
function createTickingClock(): Clock {
  let last = 0
  return {
    ...systemClock,
    now() {
      last = Math.max(last + 1, systemClock.now())
      return last
    },
  }
}

/** Measures for a page that lays nothing out and has no style; to work styles out takes most of a test's time. */
function layOut(): void {
  const style = new Proxy(window.getComputedStyle(document.body), {
    get: (_, name) => (name === 'getPropertyValue' ? () => '' : ''),
  })
  vi.spyOn(window, 'getComputedStyle').mockReturnValue(style)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(2_000)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1_200)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(100)
}
