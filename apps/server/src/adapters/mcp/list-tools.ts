import type { Client, RequestOptions } from '@modelcontextprotocol/client'
import { isNestedBeyond, isObject, type JsonObject } from '@palimpsest/core/domain'
import { MCP_LIMITS, type McpToolInfo, type McpToolList } from '@palimpsest/core/ports'
import { z } from 'zod'

/** Characters of a name that a tool may have; one with a longer name is left out. */
const NAME = 256
/** How deep a schema may be nested; a deeper one is replaced by one that allows everything. */
const NESTING = 64

/** One page of a list: each tool is checked by itself, so that a wrong one spoils no other. */
const listPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

/** Reads the list of a server's tools, page after page within the limits. */
export async function listTools(client: Client, options: RequestOptions): Promise<McpToolList> {
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], leftOut: 0 }
  const tools: McpToolInfo[] = []
  let leftOut = 0
  let bytes = 0
  let cursor: string | undefined
  for (let page = 0; page < MCP_LIMITS.pages; page++) {
    const params = cursor === undefined ? {} : { cursor }
    const { tools: entries, nextCursor } = await client.request({ method: 'tools/list', params }, listPage, options)
    for (const entry of entries) {
      const tool = tools.length < MCP_LIMITS.tools ? readTool(entry) : null
      bytes += tool === null ? 0 : JSON.stringify(tool).length
      if (tool === null || bytes > MCP_LIMITS.listBytes) leftOut += 1
      else tools.push(tool)
    }
    const isLast = nextCursor === undefined || nextCursor === cursor
    if (isLast || tools.length >= MCP_LIMITS.tools || bytes > MCP_LIMITS.listBytes) break
    cursor = nextCursor
  }
  return { tools, leftOut }
}

/** A tool of a list; null for what nobody could call. */
function readTool(entry: unknown): McpToolInfo | null {
  if (!isObject(entry)) return null
  const { name, title, description, inputSchema } = entry
  if (typeof name !== 'string' || name === '' || name.length > NAME) return null
  return {
    name,
    ...(typeof title === 'string' && { title }),
    description: typeof description === 'string' ? description : '',
    inputSchema: readSchema(inputSchema),
  }
}

function readSchema(schema: unknown): JsonObject {
  if (!isObject(schema) || isNestedBeyond(schema, NESTING)) return { type: 'object' }
  const copy: JsonObject = JSON.parse(JSON.stringify(schema))
  return copy
}
