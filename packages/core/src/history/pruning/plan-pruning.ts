/** The output of a completed tool call in what the model sees. */
export type PrunableOutput = {
  partId: string
  tool: string
  tokens: number
  pruned: boolean
  /** Assistant messages after the one it belongs to. */
  repliesAfter: number
}

/** Tokens of the newest outputs that stay, replies whose outputs stay, and what pruning must gain at least. */
export const PROTECTED_TOKENS = 40_000
export const PROTECTED_REPLIES = 3
export const LEAST_GAIN = 20_000

const PROTECTED_TOOLS: ReadonlySet<string> = new Set(['skill', 'todo', 'task'])

/** Ids of the parts to prune of `outputs` (in order of the conversation), and the tokens that this gains. */
export function planPruning(outputs: readonly PrunableOutput[]): { partIds: string[]; tokens: number } {
  const chosen: PrunableOutput[] = []
  let newer = 0
  for (const output of outputs.toReversed()) {
    const isProtected =
      newer < PROTECTED_TOKENS || output.repliesAfter < PROTECTED_REPLIES || PROTECTED_TOOLS.has(output.tool)
    newer += output.tokens
    if (!isProtected && !output.pruned) chosen.push(output)
  }
  const tokens = chosen.reduce((sum, output) => sum + output.tokens, 0)
  return tokens < LEAST_GAIN
    ? { partIds: [], tokens: 0 }
    : { partIds: chosen.map(({ partId }) => partId), tokens }
}
