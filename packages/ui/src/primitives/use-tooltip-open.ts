import { useCallback, useEffect, useRef, useState } from 'react'

/** Milliseconds that a pointer rests before a tooltip opens, and within which the next one opens at once. */
const REST_MS = 450
const WARM_MS = 300

let lastHiddenAt = Number.NEGATIVE_INFINITY

export type TooltipOpen = {
  open: boolean
  /** Opens after the delay, or at once when another tooltip has just closed. */
  showSoon: () => void
  show: () => void
  hide: () => void
}

export function useTooltipOpen(): TooltipOpen {
  const [open, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const show = useCallback(() => {
    clearTimeout(timer.current)
    setOpen(true)
  }, [])
  const hide = useCallback(() => {
    clearTimeout(timer.current)
    setOpen((before) => {
      if (before) lastHiddenAt = performance.now()
      return false
    })
  }, [])
  const showSoon = useCallback(() => {
    const isWarm = performance.now() - lastHiddenAt < WARM_MS
    clearTimeout(timer.current)
    timer.current = setTimeout(show, isWarm ? 0 : REST_MS)
  }, [show])

  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!open) return
    // The event is not stopped: the key also does what it is for, such as stopping a reply.
    const handleKey = ({ key }: KeyboardEvent) => key === 'Escape' && hide()
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [open, hide])

  return { open, showSoon, show, hide }
}
