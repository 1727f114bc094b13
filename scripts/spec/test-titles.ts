import { parseAst } from 'vitest/node'

/** A test or a group of tests as its source names it. */
export interface TestTitle {
  readonly kind: 'test' | 'describe'
  /** The title; in a template, `…` replaces each value. Undefined when it is not a literal. */
  readonly title: string | undefined
  readonly line: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

const functions = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'Identifier'])
const modifiers = new Set(
  'only skip skipIf runIf each for prop concurrent sequential fails fail fixme todo describe serial parallel'.split(
    ' ',
  ),
)

/**
 * Every `test`, `it` and `describe` of a source text with any of the runners' modifiers (`test.each(…)(…)`,
 * `test.describe`), in order. Calls that pass no function (`test.skip(condition, 'why')`) are no tests.
 */
export function testTitles(path: string, text: string): TestTitle[] {
  const titles: TestTitle[] = []
  const program: unknown = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path)
  if (!isNode(program)) return titles
  visit(program, (node) => {
    if (node.type !== 'CallExpression') return
    const names = calleeNames(node['callee'])
    const kind = kindOf(names)
    const args = nodesOf(node['arguments'])
    const [first, ...rest] = args
    if (kind === undefined || first === undefined) return
    if (!rest.some(({ type }) => functions.has(type)) && !names.includes('todo')) return
    titles.push({ kind, title: literal(first), line: text.slice(0, node.start).split('\n').length })
  })
  return titles
}

function kindOf([root, ...rest]: readonly string[]): TestTitle['kind'] | undefined {
  if (rest.some((name) => !modifiers.has(name))) return undefined
  if (root === 'describe') return 'describe'
  if (root !== 'test' && root !== 'it') return undefined
  return rest.includes('describe') ? 'describe' : 'test'
}

/** `test.each([1])` → ['test', 'each']; anything that is no such chain → []. */
function calleeNames(callee: unknown): string[] {
  if (!isNode(callee)) return []
  if (callee.type === 'Identifier') return [String(callee['name'])]
  if (callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression') {
    return calleeNames(callee['callee'] ?? callee['tag'])
  }
  if (callee.type !== 'MemberExpression' || !isNode(callee['property'])) return []
  const names = calleeNames(callee['object'])
  return names.length === 0 ? [] : [...names, String(callee['property']['name'])]
}

function literal(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type !== 'TemplateLiteral') return undefined
  return nodesOf(node['quasis'])
    .map((quasi) => (quasi['value'] as { readonly cooked: string }).cooked)
    .join('…')
}

function visit(node: Node, seen: (node: Node) => void): void {
  seen(node)
  for (const value of Object.values(node)) for (const child of nodesOf(value)) visit(child, seen)
}

function nodesOf(value: unknown): Node[] {
  return (Array.isArray(value) ? value : [value]).filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
