import { type RefObject, useEffect, useState } from 'react'
import { createCache } from '../primitives/create-cache.ts'
import { useInView } from '../primitives/use-in-view.ts'
import { useIsDark } from '../primitives/use-is-dark.ts'
import { drawDiagram } from './draw-diagram.ts'

export type Diagram = { state: 'waiting' } | { state: 'drawn'; src: string } | { state: 'failed' }

const WAITING: Diagram = { state: 'waiting' }

/** Diagrams that were drawn, so that scrolling back to one costs nothing and moves nothing. */
const drawn = createCache<string>(50)

/** Draws a mermaid source as an image once `frame` is in view; an image can neither run scripts nor fetch. */
export function useDiagram(source: string, frame: RefObject<HTMLElement | null>): Diagram {
  const dark = useIsDark()
  const key = `${dark}:${source}`
  const [outcome, setOutcome] = useState<{ key: string; diagram: Diagram } | null>(null)
  const inView = useInView(frame)
  useEffect(() => {
    if (!inView || drawn.get(key) !== undefined) return
    let left = false
    draw(source, dark).then(
      (src) => {
        drawn.set(key, src)
        if (!left) setOutcome({ key, diagram: { state: 'drawn', src } })
      },
      () => !left && setOutcome({ key, diagram: { state: 'failed' } }),
    )
    return () => {
      left = true
    }
  }, [inView, source, dark, key])

  const src = drawn.get(key)
  if (src !== undefined) return { state: 'drawn', src }
  return outcome?.key === key ? outcome.diagram : WAITING
}

async function draw(source: string, dark: boolean): Promise<string> {
  const svg = await drawDiagram(source, dark)
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
}
