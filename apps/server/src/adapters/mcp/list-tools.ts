import type { Client, RequestOptions } from '@modelcontextprotocol/client'
import { isNestedBeyond, isObject, type JsonObject, type McpHint } from '@palimpsest/core/domain'
import { MCP_LIMITS, type McpToolInfo, type McpToolList } from '@palimpsest/core/ports'
import { z } from 'zod'
import { headerFault } from './header-fault.ts'

/** Characters of a name that a tool may have; one with a longer name is left out. */
const NAME = 256
/** How deep a schema may be nested; a deeper one is replaced by one that allows everything. */
const NESTING = 64
/** Tools whose fault is named; further ones are counted. */
const REFUSED = 50

/** One page of a list: each tool is checked by itself, so that a wrong one spoils no other. */
const listPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

/** Reads the list of a server's tools, page after page within the limits. `headers`: arguments may be sent as headers, too. */
export async function listTools(
  client: Client,
  headers: boolean,
  options: RequestOptions,
): Promise<McpToolList> {
  const list: McpToolList = { tools: [], leftOut: 0, refused: [] }
  let bytes = 0

  function add(tool: McpToolInfo | null): void {
    bytes += tool === null ? 0 : JSON.stringify(tool).length
    if (tool === null || isFull()) {
      list.leftOut += 1
      return
    }
    const reason = headers ? headerFault(tool.inputSchema) : null
    if (reason === null) list.tools.push(tool)
    else if (list.refused.length < REFUSED) list.refused.push({ name: tool.name, reason })
    else list.leftOut += 1
  }

  function isFull(): boolean {
    return list.tools.length >= MCP_LIMITS.tools || bytes > MCP_LIMITS.listBytes
  }

  for await (const entries of pagesOf(client, options)) {
    for (const entry of entries) add(isFull() ? null : readTool(entry))
    if (isFull()) break
  }
  return list
}

async function* pagesOf(client: Client, options: RequestOptions): AsyncGenerator<readonly unknown[]> {
  if (client.getServerCapabilities()?.tools === undefined) return
  let cursor: string | undefined
  for (let page = 0; page < MCP_LIMITS.pages; page++) {
    const params = cursor === undefined ? {} : { cursor }
    const { tools, nextCursor } = await client.request({ method: 'tools/list', params }, listPage, options)
    yield tools
    // A server may name the same page again and again.
    if (nextCursor === undefined || nextCursor === cursor) return
    cursor = nextCursor
  }
}

/** A tool of a list; null for what nobody could call. */
function readTool(entry: unknown): McpToolInfo | null {
  if (!isObject(entry)) return null
  const { name, title, description, inputSchema, annotations } = entry
  if (typeof name !== 'string' || name === '' || name.length > NAME) return null
  return {
    name,
    ...(typeof title === 'string' && { title }),
    description: typeof description === 'string' ? description : '',
    inputSchema: readSchema(inputSchema),
    ...(isObject(annotations) && { hints: readHints(annotations) }),
  }
}

function readSchema(schema: unknown): JsonObject {
  if (!isObject(schema) || isNestedBeyond(schema, NESTING)) return { type: 'object' }
  const copy: JsonObject = JSON.parse(JSON.stringify(schema))
  return copy
}

/** What the protocol's annotations say; a destructive effect is only one of a tool that may write. */
function readHints(annotations: Readonly<Record<string, unknown>>): McpHint[] {
  const says = (hint: string) => annotations[hint] === true
  return [
    ...(says('readOnlyHint') ? ['read-only' as const] : []),
    ...(!says('readOnlyHint') && says('destructiveHint') ? ['destructive' as const] : []),
    ...(says('openWorldHint') ? ['open-world' as const] : []),
  ]
}
