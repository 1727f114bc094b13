type Node = { type: string; value?: string; children?: Node[] }

const BREAK = /^<br\s*\/?>$/i

/** Remark plugin: `<br>`, the only tag that models need inside tables, becomes a line break; all others stay text. */
export function lineBreakTags() {
  return (tree: Node) => {
    visit(tree)
  }
}

function visit(node: Node): void {
  for (const child of node.children ?? []) {
    if (child.type === 'html' && BREAK.test(child.value ?? '')) {
      child.type = 'break'
      delete child.value
    }
    visit(child)
  }
}
