import { parentPort, workerData } from 'node:worker_threads'
import rehypeParse from 'rehype-parse'
import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { plainText } from './plain-text.ts'
import type { PageWork } from './to-markdown.ts'

type Node = { type: string; tagName?: string; properties?: Record<string, unknown>; children?: Node[] }

/** Elements without a text for readers. */
const LEFT_OUT = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
  'head',
  'canvas',
  'dialog',
])

function isShown({ type, tagName = '', properties = {} }: Node): boolean {
  const style = String(properties['style'] ?? '')
  const hidden = properties['hidden'] !== undefined || String(properties['ariaHidden']) === 'true'
  return (
    type !== 'comment' &&
    !LEFT_OUT.has(tagName) &&
    !hidden &&
    !/display\s*:\s*none|visibility\s*:\s*hidden|(?:opacity|font-size)\s*:\s*(?:0*\.)?0+(?![.\d])/i.test(
      style,
    )
  )
}

/** Takes out what a reader does not see: a page could hide orders for a model there. */
function withoutHidden(root: Node): void {
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.children === undefined) continue
    node.children = node.children.filter(isShown)
    open.push(...node.children)
  }
}

async function toMarkdown(html: string): Promise<string> {
  const tree = unified().use(rehypeParse).parse(html)
  withoutHidden(tree)
  const markdown = await unified().use(rehypeRemark).run(tree)
  return unified().use(remarkGfm).use(remarkStringify).stringify(markdown)
}

// Only `to-markdown.ts` starts this worker.
const { html, as } = workerData as PageWork
parentPort?.postMessage(as === 'markdown' ? await toMarkdown(html) : plainText(html))
