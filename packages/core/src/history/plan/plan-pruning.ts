import { scaledLimit } from '../../domain/window/context-window.ts'

/** The output of a completed tool call in what the model sees. */
export type PrunableOutput = {
  partId: string
  messageId: string
  tool: string
  /** What leaving it out gains. */
  tokens: number
  pruned: boolean
  /** Assistant messages after the one it belongs to. */
  repliesAfter: number
}

/** Tokens of the newest outputs that stay, replies whose outputs stay, and what pruning must gain at least. */
const PROTECTED_TOKENS = 40_000
const PROTECTED_REPLIES = 3
const LEAST_GAIN = 20_000
/** Shares of the usable window that these tokens are at most. */
const PROTECTED_SHARE = 0.25
const GAIN_SHARE = 0.125

const PROTECTED_TOOLS: ReadonlySet<string> = new Set(['skill', 'todo', 'task'])

/** True for a tool whose outputs are state, of which nothing may be left out. */
export function isProtectedTool(tool: string): boolean {
  return PROTECTED_TOOLS.has(tool)
}

/**
 * Those of `outputs` (in order of the conversation) that are to be pruned in a window of `usable` tokens, null for an unknown one; none
 * when that would gain too little.
 */
export function planPruning(outputs: readonly PrunableOutput[], usable: number | null): PrunableOutput[] {
  const protectedTokens = scaledLimit(PROTECTED_TOKENS, usable, PROTECTED_SHARE)
  const chosen: PrunableOutput[] = []
  let newer = 0
  for (const output of outputs.toReversed()) {
    const isProtected =
      newer < protectedTokens || output.repliesAfter < PROTECTED_REPLIES || isProtectedTool(output.tool)
    newer += Math.max(0, output.tokens)
    if (!isProtected && !output.pruned && output.tokens > 0) chosen.push(output)
  }
  return tokensOf(chosen) < scaledLimit(LEAST_GAIN, usable, GAIN_SHARE) ? [] : chosen.reverse()
}

export function tokensOf(outputs: readonly PrunableOutput[]): number {
  return outputs.reduce((sum, { tokens }) => sum + tokens, 0)
}
