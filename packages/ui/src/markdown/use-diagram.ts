import { type RefObject, useEffect, useState } from 'react'
import { useInView } from '../primitives/use-in-view.ts'
import { useIsDark } from '../primitives/use-is-dark.ts'
import { diagramColours } from './diagram-colours.ts'

export type Diagram = { state: 'waiting' } | { state: 'drawn'; src: string } | { state: 'failed' }

const WAITING: Diagram = { state: 'waiting' }

/** Draws a mermaid source as an image once `frame` is in view; an image can neither run scripts nor fetch. */
export function useDiagram(id: string, source: string, frame: RefObject<HTMLElement | null>): Diagram {
  const [diagram, setDiagram] = useState(WAITING)
  const inView = useInView(frame)
  const dark = useIsDark()
  useEffect(() => {
    if (!inView) return
    let left = false
    draw(id, source, dark).then(
      (src) => !left && setDiagram({ state: 'drawn', src }),
      () => !left && setDiagram({ state: 'failed' }),
    )
    return () => {
      left = true
    }
  }, [inView, id, source, dark])
  return diagram
}

async function draw(id: string, source: string, dark: boolean): Promise<string> {
  const { mermaid } = await import('@streamdown/mermaid')
  const { svg } = await mermaid
    .getMermaid({
      theme: 'base',
      themeVariables: diagramColours(dark),
      securityLevel: 'strict',
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      fontFamily: 'system-ui, sans-serif',
    })
    .render(`diagram-${id.replace(/\W/g, '')}`, source)
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
}
