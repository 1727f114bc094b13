import { useRef } from 'react'

/** Milliseconds within which a second Esc belongs to the first. */
const TWICE_MS = 600

/** What Esc does: it stops what runs, and twice, while nothing runs, it leads back. */
export function useEscapeTwice(stop: () => void, rewind: () => void, running: boolean): () => void {
  const last = useRef(Number.NEGATIVE_INFINITY)
  return () => {
    const now = performance.now()
    const twice = now - last.current < TWICE_MS
    last.current = running || twice ? Number.NEGATIVE_INFINITY : now
    if (running) stop()
    else if (twice) rewind()
  }
}
