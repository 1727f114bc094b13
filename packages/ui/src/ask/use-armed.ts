import { useEffect, useState } from 'react'

/** Milliseconds in which a press still belongs to what the dock showed before; longer than a double click. */
const ARMED_AFTER_MS = 500

/** False for a moment after the component appears, so that a press under way decides nothing. */
export function useArmed(): boolean {
  const [armed, setArmed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), ARMED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return armed
}
