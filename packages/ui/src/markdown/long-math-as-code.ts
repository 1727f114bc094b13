import type { Nodes, Root } from 'mdast'

/** Characters of one formula, and of all in one piece, that are still set. */
const FORMULA_CHARACTERS = 3_000
const ALL_CHARACTERS = 20_000
/** What a short formula counts as: to set one takes time whatever its length. */
const LEAST_CHARACTERS = 20

type Formula = Extract<Nodes, { type: 'math' | 'inlineMath' }>

/** Remark plugin: formulas that would take too long to set become code. */
export function longMathAsCode() {
  return (tree: Root) => void visit(tree, ALL_CHARACTERS)
}

/** Returns how many characters of formulas are left. */
function visit(node: Nodes, left: number): number {
  if (!('children' in node)) return left
  let rest = left
  for (const [at, child] of node.children.entries()) {
    if (!isMath(child)) {
      rest = visit(child, rest)
      continue
    }
    rest -= Math.max(child.value.length, LEAST_CHARACTERS)
    if (rest < 0 || child.value.length > FORMULA_CHARACTERS) node.children[at] = asCode(child)
  }
  return rest
}

function isMath(node: Nodes): node is Formula {
  return node.type === 'math' || node.type === 'inlineMath'
}

function asCode({ type, value }: Formula): Extract<Nodes, { type: 'code' | 'inlineCode' }> {
  return type === 'math' ? { type: 'code', lang: 'tex', value } : { type: 'inlineCode', value }
}
