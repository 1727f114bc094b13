import { useEffect, useState } from 'react'
import type { MathPlugins } from './to-elements.ts'

let loaded: MathPlugins | null = null

async function load(): Promise<MathPlugins> {
  const [{ default: remarkMath }, { default: rehypeKatex }] = await Promise.all([
    import('remark-math'),
    import('rehype-katex'),
    import('katex/dist/katex.min.css'),
  ])
  loaded ??= {
    // A single dollar sign is money more often than it is a formula.
    remark: [[remarkMath, { singleDollarTextMath: false }]],
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
  const wanted = text.includes('$$')
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
