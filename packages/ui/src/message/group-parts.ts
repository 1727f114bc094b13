import { type ChatPart, isToolPart } from '@palimpsest/core/domain'
import { ownToolName, type ToolCallAt } from '../tool/tool-part.ts'

type Of<T extends ChatPart['type']> = Extract<ChatPart, { type: T }>

/** What a message shows, in order. `index` is that of its first part and a stable key. */
export type Block =
  | { kind: 'text'; index: number; part: Of<'text'> }
  | { kind: 'reasoning'; index: number; part: Of<'reasoning'> }
  | { kind: 'tools'; index: number; calls: ToolCallAt[] }
  | { kind: 'todo'; index: number; call: ToolCallAt }
  | { kind: 'files'; index: number; parts: Of<'file'>[] }
  | {
      kind: 'sources'
      index: number
      parts: (Of<'source-url'> | Of<'source-document'>)[]
    }
  | { kind: 'steering'; index: number; part: Of<'steering-message'> }
  /** A summary that the provider made itself; empty where it can't be read. */
  | { kind: 'summarised'; index: number; summary: string }
  | { kind: 'unreadable'; index: number; data: unknown }

/**
 * Groups parts into blocks: consecutive tool calls, files and sources are one block, the newest to-do list is its own;
 * step marks, empty text and unknown types are left out.
 */
export function groupParts(parts: readonly ChatPart[]): Block[] {
  const blocks: Block[] = []
  const newestTodo = parts.findLastIndex((part) => isToolPart(part) && ownToolName(part) === 'todo')
  for (const [index, part] of parts.entries()) {
    const block = toBlock(part, index, index === newestTodo)
    if (block && !joins(blocks.at(-1), block)) blocks.push(block)
  }
  return blocks
}

function toBlock(part: ChatPart, index: number, isNewestTodo: boolean): Block | null {
  if (isToolPart(part)) {
    const call = { index, part }
    return isNewestTodo ? { kind: 'todo', index, call } : { kind: 'tools', index, calls: [call] }
  }
  switch (part.type) {
    case 'text':
      return toTextBlock(part, index)
    case 'reasoning':
      return part.text.trim() === '' ? null : { kind: 'reasoning', index, part }
    case 'file':
      return { kind: 'files', index, parts: [part] }
    case 'source-url':
    case 'source-document':
      return { kind: 'sources', index, parts: [part] }
    case 'steering-message':
      return { kind: 'steering', index, part }
    case 'custom':
      return COMPACTION.test(part.kind) ? { kind: 'summarised', index, summary: summaryOf(part) } : null
    case 'data-unreadable':
      return { kind: 'unreadable', index, data: part.data }
    default:
      return null
  }
}

/** How the parts are called in which providers keep their own summaries. */
const COMPACTION = /^[a-z]+\.compaction$/

function summaryOf({ providerMetadata = {} }: Of<'custom'>): string {
  const content = Object.values(providerMetadata).map((metadata) => metadata['content'])
  return content.find((found) => typeof found === 'string') ?? ''
}

/** Replies of earlier versions hold a provider's summary as marked text. */
function toTextBlock(part: Of<'text'>, index: number): Block | null {
  if (part.text.trim() === '') return null
  if (part.providerMetadata?.['anthropic']?.['type'] !== 'compaction') return { kind: 'text', index, part }
  return { kind: 'summarised', index, summary: part.text }
}

/** Adds the block to the one before when both are of a kind that gathers. */
function joins(last: Block | undefined, block: Block): boolean {
  if (last?.kind === 'tools' && block.kind === 'tools') {
    last.calls.push(...block.calls)
    return true
  }
  if (last?.kind === 'files' && block.kind === 'files') {
    last.parts.push(...block.parts)
    return true
  }
  if (last?.kind === 'sources' && block.kind === 'sources') {
    last.parts.push(...block.parts)
    return true
  }
  return false
}
