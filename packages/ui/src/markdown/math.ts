import { useEffect, useState } from 'react'
import { singleDollarMath } from './single-dollar-math.ts'
import type { MathPlugins } from './to-elements.ts'

/** What a text with a formula holds at least: two dollars, or one that can close a formula. */
const MAY_HOLD_MATH = /\$\$|[^\s$]\$(?!\d)/

let loaded: MathPlugins | null = null

async function load(): Promise<MathPlugins> {
  const [{ default: remarkMath }, { default: rehypeKatex }] = await Promise.all([
    import('remark-math'),
    import('rehype-katex'),
    import('katex/dist/katex.min.css'),
  ])
  loaded ??= {
    remark: [[remarkMath, { singleDollarTextMath: false }], singleDollarMath],
    rehype: [
      [
        rehypeKatex,
        { errorColor: 'var(--danger)', maxSize: 20, maxExpand: 300, trust: false, strict: 'ignore' },
      ],
    ],
  }
  return loaded
}

/** The plugins that set formulas; fetched when a text holds one, null until then. */
export function useMathPlugins(text: string): MathPlugins | null {
  const [plugins, setPlugins] = useState(loaded)
  const wanted = MAY_HOLD_MATH.test(text)
  useEffect(() => {
    if (!wanted || plugins) return
    let left = false
    load().then(
      (next) => !left && setPlugins(next),
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [wanted, plugins])
  return wanted ? plugins : null
}
