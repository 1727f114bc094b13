import { useEffect, useRef, useState } from 'react'

/** Milliseconds that `active` held, known once it has ended; null when it began before this was drawn. */
export function useElapsed(active: boolean): number | null {
  const startedAt = useRef<number | null>(null)
  const [elapsed, setElapsed] = useState<number | null>(null)
  useEffect(() => {
    if (active) startedAt.current = performance.now()
    else if (startedAt.current !== null) setElapsed(performance.now() - startedAt.current)
  }, [active])
  return elapsed
}
