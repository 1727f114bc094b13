import type { CallToolResult } from '@modelcontextprotocol/client'
import { isNestedBeyond, type Json } from '@palimpsest/core/domain'
import { MCP_LIMITS, type McpOutput } from '@palimpsest/core/ports'

/** How deep structured content may be nested. */
const NESTING = 64

/** The text of a result, whole; and its structured content, unless that is too large. Nothing that it links to is read. */
export function toOutput(result: CallToolResult): Pick<McpOutput, 'text' | 'isError' | 'structured'> {
  const structured = boundedJson(result.structuredContent)
  const texts = result.content.map(textOf).filter((text) => text !== '')
  const text = texts.length > 0 || structured === null ? texts.join('\n\n') : structured.text
  return {
    text: text === '' ? '(an empty result)' : text,
    isError: result.isError === true,
    ...(structured !== null && { structured: structured.value }),
  }
}

type Block = CallToolResult['content'][number]

function textOf(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${bytesOf(block.data)} bytes, not shown]`
    case 'resource_link':
      return [`[link to ${block.name}: ${block.uri}]`, block.description ?? ''].join(' ').trim()
    case 'resource': {
      const { resource } = block
      const type = resource.mimeType ?? 'unknown type'
      if ('text' in resource) return `[${resource.uri}]\n${resource.text}`
      return `[${resource.uri}, ${type}, ${bytesOf(resource.blob)} bytes, not shown]`
    }
  }
}

function bytesOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4)
}

function boundedJson(value: unknown): { value: Json; text: string } | null {
  if (value === undefined || isNestedBeyond(value, NESTING)) return null
  const compact = JSON.stringify(value)
  if (compact === undefined || Buffer.byteLength(compact) > MCP_LIMITS.structured) return null
  const copy: Json = JSON.parse(compact)
  return { value: copy, text: JSON.stringify(copy, null, 2) }
}
