type TreeNode = { type: string; children?: readonly TreeNode[] }

/** Maximum levels and nodes of a rendered tree: far above real texts, and safe for recursive code. */
const MOST_LEVELS = 200
const MOST_NODES = 60_000

/** Whether a syntax tree is small enough to be drawn; looks at it without recursion. */
export function isDrawable(root: TreeNode): boolean {
  let level: readonly TreeNode[] = [root]
  let nodes = 0
  for (let levels = 0; level.length > 0; levels++) {
    nodes += level.length
    if (levels > MOST_LEVELS || nodes > MOST_NODES) return false
    level = level.flatMap(({ children }) => children ?? [])
  }
  return true
}
