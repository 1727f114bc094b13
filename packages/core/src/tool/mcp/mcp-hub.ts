import { untilAborted } from '../../domain/async/until-aborted.ts'
import { AppError } from '../../domain/errors.ts'
import type { ServerForm } from '../../domain/permission/server-form.ts'
import type { McpServerView, McpToolView } from '../../domain/settings/mcp.ts'
import type { Clock, Logger, McpServers, McpToolInfo, McpToolList } from '../../ports/index.ts'
import type { Tool } from '../tool.ts'
import { toMcpTool } from './mcp-tool.ts'
import { plainLine } from './plain-line.ts'
import { createServerLink, type ServerLink } from './server-link.ts'
import { toolIds } from './tool-ids.ts'

/** Milliseconds that a turn waits for servers that connect for the first time. */
const WAIT_MS = 3_000
/** Characters of a description that a person sees in a list. */
const SHOWN = 300

/** The tools of all servers at one moment, and the servers that have none because they are not connected. */
export type McpSnapshot = { tools: readonly Tool[]; missing: readonly string[] }

/** The MCP servers of the host. */
export interface McpHub {
  /**
   * Connects to the servers that no turn has needed so far, and waits for them for at most 3 s from their start. What a server
   * changes later is in the next snapshot.
   */
  snapshot(signal: AbortSignal): Promise<McpSnapshot>
  servers(): McpServerView[]
  /** Connects anew at once. `INVALID_INPUT` of field `name` when there is no such server. */
  reconnect(name: string): void
  /** Ends a call of a server that has asked a person and gets no reply. */
  abandon(form: Pick<ServerForm, 'server' | 'state'>): void
  /** Ends all connections, and the servers that this host has started. */
  end(): Promise<void>
}

export function createMcpHub(
  ports: { mcp: McpServers; clock: Clock; logger: Logger },
  /** Ids of our own tools. */
  taken: ReadonlySet<string>,
): McpHub {
  const { clock } = ports
  let links: readonly ServerLink[] = []

  const ending = new Set<Promise<void>>()

  function end(link: ServerLink): void {
    const ended = link.end().finally(() => ending.delete(ended))
    ending.add(ended)
  }

  /** One link for each server that there is now; that of a server which is gone or has changed is ended. */
  function current(): readonly ServerLink[] {
    const { servers } = ports.mcp
    const isSame = links.length === servers.length && links.every(({ info }, at) => info === servers[at])
    if (isSame) return links
    const before = links
    links = servers.map((info) => before.find((link) => link.info === info) ?? createServerLink(info, ports))
    for (const link of before) if (!links.includes(link)) end(link)
    return links
  }

  function idsOf({ info, list }: ServerLink): ReadonlyMap<string, string> {
    return toolIds(
      info.name,
      list.tools.map(({ name }) => name),
      taken,
    )
  }

  /** Made once for each list. */
  const made = new WeakMap<McpToolList, readonly Tool[]>()

  function toolsOf(link: ServerLink): readonly Tool[] {
    const known = made.get(link.list) ?? makeTools(link)
    made.set(link.list, known)
    return known
  }

  function makeTools(link: ServerLink): Tool[] {
    const ids = new Map(idsOf(link))
    return link.list.tools.flatMap((tool) => {
      const id = ids.get(tool.name)
      // Of two with one name the first counts.
      ids.delete(tool.name)
      return id === undefined ? [] : [toMcpTool(id, tool, link)]
    })
  }

  /** Resolves once no first attempt is on that is younger than the wait. */
  async function firstAttempts(signal: AbortSignal): Promise<void> {
    const young = current().flatMap((link) => {
      const since = link.firstAttemptSince
      const left = since === null ? 0 : since + WAIT_MS - clock.elapsed()
      return left > 0 ? [{ link, left }] : []
    })
    if (young.length === 0) return
    const enough = new AbortController()
    using _timer = clock.after(Math.max(...young.map(({ left }) => left)), () => enough.abort())
    const attempts = Promise.all(young.map(({ link }) => link.attempted))
    await untilAborted(attempts, AbortSignal.any([signal, enough.signal])).catch(() => undefined)
  }

  return {
    async snapshot(signal) {
      for (const link of current()) link.start()
      await firstAttempts(signal)
      return {
        tools: links.flatMap(toolsOf),
        missing: links.flatMap(({ info, state }) => (state.type === 'ready' ? [] : [info.name])),
      }
    },
    servers: () =>
      current().map((link) => {
        const { name, kind, entered } = link.info
        const { tools, leftOut, refused } = link.list
        const shown = viewsOf(tools, idsOf(link))
        return {
          name,
          kind,
          source: entered === undefined ? 'file' : 'settings',
          address: entered?.address ?? null,
          state: link.state,
          tools: shown,
          leftOut: leftOut + tools.length - shown.length,
          refused: refused.map((tool) => ({
            name: plainLine(tool.name, SHOWN),
            reason: plainLine(tool.reason, SHOWN),
          })),
          signIn: ports.mcp.signIns?.state(name) ?? null,
          wider: ports.mcp.signIns?.widerScope(name) ?? null,
        }
      }),
    reconnect(name) {
      const link = current().find(({ info }) => info.name === name)
      if (link === undefined)
        throw new AppError('INVALID_INPUT', 'There is no MCP server with this name.', { field: 'name' })
      link.reconnect()
    },
    abandon({ server, state }) {
      links.find(({ info }) => info.name === server)?.abandon(state)
    },
    async end() {
      await Promise.all([...links.map((link) => link.end()), ...ending])
    },
  }
}

/** The tools that have an id, as a person sees them. */
export function viewsOf(tools: readonly McpToolInfo[], ids: ReadonlyMap<string, string>): McpToolView[] {
  return [...ids].map(([toolName, id]) => {
    const tool = tools.find(({ name }) => name === toolName)
    return {
      id,
      name: plainLine(toolName, SHOWN),
      description: plainLine(tool?.description ?? '', SHOWN),
      hints: tool?.hints ?? [],
    }
  })
}
