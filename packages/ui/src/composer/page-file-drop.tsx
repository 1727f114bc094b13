import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { useMessages } from '../messages/messages-context.tsx'

/** Takes files that are dropped anywhere on the page, with a zone over it while they are held there. */
export function PageFileDrop({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { composer } = useMessages()
  const [over, setOver] = useState(false)
  const take = useEffectEvent(onFiles)

  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const leave = () => setOver(false)
    window.addEventListener('dragover', (event) => setOver(holdsFiles(event) && isForPage(event)), { signal })
    window.addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && leave(), { signal })
    window.addEventListener('dragend', leave, { signal })
    window.addEventListener('drop', leave, { capture: true, signal })
    window.addEventListener(
      'drop',
      (event) => {
        const files = [...(event.dataTransfer?.files ?? [])]
        if (files.length === 0 || !isForPage(event)) return
        event.preventDefault()
        take(files)
      },
      { signal },
    )
    return () => stop.abort()
  }, [])

  if (!over) return null
  return createPortal(
    <div className="pointer-events-none fixed inset-0 z-30 p-3">
      <div className="flex h-full items-center justify-center rounded-2xl border-2 border-ink border-dashed bg-raised/90 text-lg font-medium">
        {composer.dropHere}
      </div>
    </div>,
    document.body,
  )
}

/** Whether neither a dialog is over the page nor an element under the pointer takes files itself. */
function isForPage({ target }: DragEvent): boolean {
  const isTaken = target instanceof Element && target.closest('[data-takes-files]') !== null
  return !isTaken && document.querySelector('[role="dialog"][data-open]') === null
}

function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true
}
