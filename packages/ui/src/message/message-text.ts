import type { ChatMessage } from '@palimpsest/core/domain'
import { toJson } from '../tool/tool-part.ts'
import type { Block } from './group-parts.ts'

/** The written text of a message, as it is copied: without reasoning and tool calls. */
export function messageText(message: ChatMessage): string {
  return partsText(message.parts)
}

/** The written text of some parts. */
export function partsText(parts: ChatMessage['parts']): string {
  return parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : [])).join('\n\n')
}

/** A block as plain text: its words, or what is stored of it as JSON. */
export function blockText(block: Block): string {
  const text: unknown = block.kind === 'text' || block.kind === 'reasoning' ? block.part.text : null
  return typeof text === 'string' ? text : toJson(block)
}
