import { subagentOf, type ToolPart } from '../tool/tool-part.ts'
import type { Block } from './group-parts.ts'

/** Blocks that never change once they are there. */
const SETTLED: ReadonlySet<Block['kind']> = new Set(['steering', 'summarised', 'unreadable'])

/**
 * Whether two blocks at one place show the same. Text is compared by value and finished tool calls by state,
 * because a stream may deliver equal copies.
 */
export function sameBlock(a: Block, b: Block): boolean {
  if (a.kind === 'text' && b.kind === 'text') return a.part.text === b.part.text
  if (a.kind === 'reasoning' && b.kind === 'reasoning') return a.part.text === b.part.text
  if (a.kind === 'todo' && b.kind === 'todo') return sameCall(a.call.part, b.call.part)
  if (a.kind === 'tools' && b.kind === 'tools') {
    return a.calls.length === b.calls.length && a.calls.every((call, at) => sameCallAt(call, b.calls[at]))
  }
  if (a.kind === 'files' && b.kind === 'files') return a.parts.length === b.parts.length
  if (a.kind === 'sources' && b.kind === 'sources') return a.parts.length === b.parts.length
  return a.kind === b.kind && SETTLED.has(a.kind) && a.index === b.index
}

function sameCallAt(a: { part: ToolPart }, b: { part: ToolPart } | undefined): boolean {
  return b !== undefined && sameCall(a.part, b.part)
}

function sameCall(a: ToolPart, b: ToolPart): boolean {
  if (a === b) return true
  if (a.toolCallId !== b.toolCallId || a.state !== b.state) return false
  const changesWithinState =
    a.state === 'input-streaming' || (a.state === 'output-available' && a.preliminary === true)
  // A call that runs becomes that of a subagent once there is one.
  return !changesWithinState && subagentOf(a) === subagentOf(b)
}
