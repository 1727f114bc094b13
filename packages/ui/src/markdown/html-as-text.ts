import type { Nodes, Root } from 'mdast'

const BREAK = /^<br\s*\/?>$/i

/** Remark plugin: renders HTML as its source text, except `<br>`, which models need inside tables. */
export function htmlAsText() {
  return (tree: Root) => {
    visit(tree)
  }
}

function visit(node: Nodes): void {
  if (!('children' in node)) return
  for (const [at, child] of node.children.entries()) {
    if (child.type === 'html') {
      const { value } = child
      node.children[at] = BREAK.test(value) ? { type: 'break' } : { type: 'text', value }
    }
    visit(child)
  }
}
