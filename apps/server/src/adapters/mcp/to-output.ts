import type { CallToolResult } from '@modelcontextprotocol/client'
import { isNestedBeyond, type Json } from '@palimpsest/core/domain'
import { MCP_LIMITS, type McpFile, type McpOutput } from '@palimpsest/core/ports'

/** How deep structured content may be nested. */
const NESTING = 64

/** The text of a result, whole; its files; and its structured content, unless that is too large. Nothing that it links to is read. */
export function toOutput(
  result: CallToolResult,
): Pick<McpOutput, 'text' | 'isError' | 'structured' | 'files'> {
  const structured = boundedJson(result.structuredContent)
  const files: McpFile[] = []
  const texts = result.content
    .map((block) => textOf(block, files).toWellFormed())
    .filter((text) => text !== '')
  const text = texts.length > 0 || structured === null ? texts.join('\n\n') : structured.text
  return {
    text: text === '' ? '(an empty result)' : text,
    isError: result.isError === true,
    files: result.isError === true ? [] : files,
    ...(structured !== null && { structured: structured.value }),
  }
}

type Block = CallToolResult['content'][number]

/** The text of a block; its file goes to `files`, and is only named once there are enough. */
function textOf(block: Block, files: McpFile[]): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio': {
      const noun = block.type === 'image' ? 'picture' : 'sound'
      const name = `${noun}-${files.length + 1}.${block.mimeType.split('/')[1] ?? 'bin'}`
      return add(files, name, block.mimeType, block.data)
    }
    case 'resource_link':
      return [`[link to ${block.name}: ${block.uri}]`, block.description ?? ''].join(' ').trim()
    case 'resource': {
      const { resource } = block
      if ('text' in resource) return `[${resource.uri}]\n${resource.text}`
      const name = resource.uri.split(/[/?#]/).findLast((segment) => segment !== '') ?? 'file'
      return add(files, name, resource.mimeType ?? 'application/octet-stream', resource.blob)
    }
  }
}

function add(files: McpFile[], name: string, mediaType: string, base64: string): string {
  if (files.length >= MCP_LIMITS.files) return `[${name}, left out]`
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
  files.push({ name, mediaType, bytes })
  return `[${name}: ${mediaType}, ${bytes.length} bytes]`
}

/** JSON with a sign in place of each half of a character: databases and providers refuse these. */
function withoutHalves(json: string): string {
  return json.replace(/\\(u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g, (whole, code: string) =>
    code.length > 1 ? '\ufffd' : whole,
  )
}

function boundedJson(value: unknown): { value: Json; text: string } | null {
  if (value === undefined || isNestedBeyond(value, NESTING)) return null
  const compact = JSON.stringify(value)
  if (compact === undefined || Buffer.byteLength(compact) > MCP_LIMITS.structured) return null
  const copy: Json = JSON.parse(withoutHalves(compact))
  return { value: copy, text: JSON.stringify(copy, null, 2) }
}
