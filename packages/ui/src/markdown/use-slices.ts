import { useEffect, useState } from 'react'

/** Pieces that are drawn at once, and those that each later task adds. */
const FIRST = 60
const EACH = 20

/** How many of `count` pieces may be drawn by now: a long text is drawn over several tasks, so that none blocks the page. */
export function useSlices(count: number): number {
  const [drawn, setDrawn] = useState(FIRST)
  const waits = count > drawn
  useEffect(() => {
    if (!waits) return
    const timer = setTimeout(() => setDrawn(drawn + EACH))
    return () => clearTimeout(timer)
  }, [waits, drawn])
  return Math.min(count, drawn)
}
