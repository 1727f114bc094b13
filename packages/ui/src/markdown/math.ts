import { useEffect, useState } from 'react'
import type { MathPlugin } from 'streamdown'

type Loaded = { math: MathPlugin }

let loaded: Loaded | null = null

async function load(): Promise<Loaded> {
  const [{ createMathPlugin }] = await Promise.all([
    import('@streamdown/math'),
    import('katex/dist/katex.min.css'),
  ])
  loaded ??= { math: createMathPlugin({ errorColor: 'var(--danger)' }) }
  return loaded
}

/** The plugin that sets formulas; fetched when a text holds one, null until then. */
export function useMathPlugin(text: string): Loaded | null {
  const [plugin, setPlugin] = useState(loaded)
  const wanted = text.includes('$$')
  useEffect(() => {
    if (!wanted || plugin) return
    let left = false
    load().then(
      (next) => !left && setPlugin(next),
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [wanted, plugin])
  return wanted ? plugin : null
}
