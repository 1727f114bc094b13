import { useRef, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Dialog } from '../popups/dialog.tsx'
import { Button } from '../primitives/button.tsx'
import { CodeBlock } from './code-block.tsx'
import { useDiagram } from './use-diagram.ts'
import { ZoomedPicture } from './zoomed-picture.tsx'

/** A diagram, rendered when it is near the window, with a button that shows its source. */
export function MermaidBlock({ source }: { source: string }) {
  const { markdown } = useMessages()
  const frame = useRef<HTMLElement>(null)
  const diagram = useDiagram(source, frame)
  const [asSource, setAsSource] = useState(false)
  const [enlarged, setEnlarged] = useState(false)
  if (diagram.state === 'failed' || asSource) {
    return (
      <>
        <CodeBlock code={source} language="mermaid" incomplete={false} />
        <p className="diagram-note">
          {diagram.state === 'failed' ? (
            markdown.diagramFailed
          ) : (
            <Button small variant="quiet" onClick={() => setAsSource(false)}>
              {markdown.showDiagram}
            </Button>
          )}
        </p>
      </>
    )
  }
  return (
    <figure ref={frame} className="diagram" aria-label={markdown.diagram}>
      {diagram.state === 'drawn' ? (
        <>
          <button
            type="button"
            aria-label={markdown.enlarge}
            className="block w-full cursor-zoom-in"
            onClick={() => setEnlarged(true)}
          >
            <img src={diagram.src} alt={markdown.diagram} />
          </button>
          <Dialog
            open={enlarged}
            onOpenChange={setEnlarged}
            title={markdown.diagram}
            closable
            className="h-[calc(100dvh-2rem)] max-h-none max-w-none"
          >
            <ZoomedPicture src={diagram.src} alt={markdown.diagram} />
          </Dialog>
        </>
      ) : (
        <div className="skeleton h-48 w-full" />
      )}
      <Button small variant="quiet" onClick={() => setAsSource(true)}>
        {markdown.showSource}
      </Button>
    </figure>
  )
}
