import type { Root } from 'hast'
import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import type { ReactElement } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { type PluggableList, unified } from 'unified'
import { createCache } from '../primitives/create-cache.ts'
import { allowedElements } from './allowed-elements.ts'
import { htmlAsText } from './html-as-text.ts'
import { longMathAsCode } from './long-math-as-code.ts'
import { markdownComponents } from './markdown-components.tsx'
import { isDrawable } from './tree-size.ts'

/** Plugins that set formulas; fetched apart, because most texts have none. */
export type MathPlugins = { remark: PluggableList; rehype: PluggableList }

/** Turns markdown into React elements, null when they would be too deep or too many; keeps those of a source that has `settled`. */
export type ToElements = (source: string, settled: boolean) => ReactElement | null

/** Sources whose elements are kept, so that scrolling back to them parses nothing. */
const KEPT = 1_000

const withMath = new WeakMap<MathPlugins, ToElements>()
const plain = createToElements(null)

/** The one converter for these plugins. */
export function toElementsWith(math: MathPlugins | null): ToElements {
  if (!math) return plain
  const known = withMath.get(math) ?? createToElements(math)
  withMath.set(math, known)
  return known
}

function createToElements(math: MathPlugins | null): ToElements {
  const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(math?.remark ?? [])
    .use(math ? [longMathAsCode] : [])
    .use(htmlAsText)
    .use(remarkRehype)
    .use(rehypeSanitize, allowedElements)
    .use(math?.rehype ?? [])
  const kept = createCache<ReactElement>(KEPT)
  return (source, settled) => {
    const known = kept.get(source)
    if (known) return known
    const parsed = processor.parse(source)
    if (!isDrawable(parsed)) return null
    const tree: Root = processor.runSync(parsed)
    if (!isDrawable(tree)) return null
    const elements = toJsxRuntime(tree, {
      Fragment,
      jsx,
      jsxs,
      components: markdownComponents,
      passKeys: true,
      passNode: true,
      ignoreInvalidStyle: true,
    })
    if (settled) kept.set(source, elements)
    return elements
  }
}
