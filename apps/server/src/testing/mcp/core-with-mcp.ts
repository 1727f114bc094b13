import { isToolPart } from '@palimpsest/core/domain'
import {
  createMemoryStore,
  createMemoryTables,
  openCoreLab,
  type ReplyScript,
  reply,
} from '@palimpsest/testing'
import { vi } from 'vitest'
import type { McpServerSettings } from '../../adapters/mcp/mcp-servers.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { labServers } from './lab-settings.ts'

/** What outlives a core: its rows, and the folder that names the processes of its servers. */
export async function openMcpHost() {
  const folder = await temporaryFolder()
  return {
    tables: createMemoryTables(),
    folder: folder.path,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

type Host = Awaited<ReturnType<typeof openMcpHost>>

/**
 * A core with real MCP servers, whose model calls the tool that it is sent, as `lab_echo {"text":"hi"}`. Without tools of its own its
 * agent is offered all of theirs: more than 20 are found by a search. Those of `ready` are connected, by default all.
 */
export async function openCoreWithMcp(
  { tables, folder }: Pick<Host, 'tables' | 'folder'>,
  settings: readonly McpServerSettings[],
  { headless = false, ready = settings.map(({ name }) => name) } = {},
) {
  const ports = { mcp: labServers(settings, folder), store: createMemoryStore(tables) }
  const lab = await openCoreLab(ports, { agent: { tools: [] }, runs: { headless } })
  lab.provider.otherwise(({ body }) => {
    // The provider package builds the body from the conversation.
    const messages = body['messages'] as { role: string; content: string }[]
    const last = messages.findLast(({ content }) => !`${content}`.startsWith('<reminder>'))
    if (last?.role !== 'user') return reply({ text: 'Done' })
    const [name = '', input] = last.content.split(/ (.*)/s)
    const script: ReplyScript =
      input === undefined ? { text: 'Done' } : { toolCalls: [{ name, input: JSON.parse(input) }] }
    return reply(script)
  })
  // A busy machine may take longer to start a program than a turn waits for it.
  for (const name of ready) lab.sessions.mcp.reconnect(name)
  const isReady = (name: string) =>
    lab.sessions.mcp.servers().some((server) => server.name === name && server.state.type === 'ready')
  await vi.waitUntil(() => ready.every(isReady), { timeout: 25_000 })
  return {
    ...lab,
    /** The last call of a session. */
    async lastCall(sessionId: string) {
      const { items } = await lab.sessions.messages({ sessionId })
      return items.flatMap(({ parts }) => parts.filter(isToolPart)).at(-1)
    },
    /** A session in full access. */
    async newSession() {
      const { id } = await lab.sessions.create({})
      await lab.sessions.permissions.setMode(id, 'full-access')
      return id
    },
  }
}
