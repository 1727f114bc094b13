import { useEffect, useMemo, useState } from 'react'
import { createCache } from '../primitives/create-cache.ts'
import { type CodeToken, highlight } from './highlight.ts'

/** Milliseconds between two colourings of code that grows. */
const GROWING_MS = 400
/** Characters beyond which growing code waits for its end before it is coloured. */
const GROWING_CHARACTERS = 8_000

type Coloured = { code: string; lines: CodeToken[][] }

/** Code that was coloured, so that scrolling back to it costs nothing. */
const finished = createCache<Coloured>(200)

/**
 * The lines of `code`: coloured tokens where they are known, text where not yet.
 * While it grows, finished lines keep their colours and the rest follows.
 */
export function useHighlighted(code: string, language: string, growing: boolean): (CodeToken[] | string)[] {
  const key = `${language}:${code}`
  const [coloured, setColoured] = useState(() => finished.get(key) ?? null)
  useEffect(() => {
    if (language === '' || (growing && code.length > GROWING_CHARACTERS)) return
    const known = finished.get(key)
    if (known) {
      // What another block says word for word is coloured already.
      setColoured(known)
      return
    }
    let left = false
    const timer = setTimeout(
      () => {
        highlight(code, language).then(
          (lines) => {
            if (!lines) return
            if (!growing) finished.set(key, { code, lines })
            if (!left) setColoured({ code, lines })
          },
          () => undefined,
        )
      },
      growing ? GROWING_MS : 0,
    )
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [code, language, growing, key])

  return useMemo(() => mergeLines(code, coloured), [code, coloured])
}

/** Takes the coloured lines as far as they say what `code` says. */
export function mergeLines(code: string, coloured: Coloured | null): (CodeToken[] | string)[] {
  const lines = code.split('\n')
  if (!coloured) return lines
  const known = coloured.code.split('\n')
  return lines.map((line, at) => (known[at] === line ? (coloured.lines[at] ?? line) : line))
}
