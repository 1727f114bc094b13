import { Minus, Plus } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'

const LEAST = 1
const MOST = 8
const STEP = 1.5

/** A picture that fills the width at first and is enlarged by pinching, by Ctrl and the wheel, and by buttons; it scrolls. */
export function ZoomedPicture({ src, alt }: { src: string; alt: string }) {
  const { markdown } = useMessages()
  const box = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState(window.matchMedia('(width < 48rem)').matches ? 2 : 1)
  const by = useCallback(
    (factor: number) => setZoom((now) => Math.min(MOST, Math.max(LEAST, now * factor))),
    [],
  )

  useEffect(() => {
    const element = box.current
    if (element === null) return
    let apart: number | null = null
    const pinch = (event: TouchEvent) => {
      const [a, b] = [event.touches[0], event.touches[1]]
      if (a === undefined || b === undefined) {
        apart = null
        return
      }
      event.preventDefault()
      const now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)
      if (apart !== null && apart > 0) by(now / apart)
      apart = now
    }
    // A trackpad's pinch arrives as a wheel with Ctrl.
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      by(Math.exp(-event.deltaY / 200))
    }
    const end = () => {
      apart = null
    }
    element.addEventListener('touchmove', pinch, { passive: false })
    element.addEventListener('touchend', end)
    element.addEventListener('wheel', wheel, { passive: false })
    return () => {
      element.removeEventListener('touchmove', pinch)
      element.removeEventListener('touchend', end)
      element.removeEventListener('wheel', wheel)
    }
  }, [by])

  return (
    <>
      <div className="flex gap-1 px-4 pt-1">
        <IconButton label={markdown.smaller} disabled={zoom <= LEAST} onClick={() => by(1 / STEP)}>
          <Minus aria-hidden size={16} />
        </IconButton>
        <IconButton label={markdown.larger} disabled={zoom >= MOST} onClick={() => by(STEP)}>
          <Plus aria-hidden size={16} />
        </IconButton>
      </div>
      <div
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
        tabIndex={0}
        className="min-h-0 grow overflow-auto p-4"
      >
        <img src={src} alt={alt} className="max-w-none" style={{ width: `${100 * zoom}%` }} />
      </div>
    </>
  )
}
