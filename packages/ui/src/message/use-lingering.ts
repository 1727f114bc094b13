import { useEffect, useState } from 'react'

/** Follows `active`, but stays true for `ms` after it ends. */
export function useLingering(active: boolean, ms: number): boolean {
  const [lingers, setLingers] = useState(active)
  useEffect(() => {
    if (active) {
      setLingers(true)
      return
    }
    const timer = setTimeout(() => setLingers(false), ms)
    return () => clearTimeout(timer)
  }, [active, ms])
  return active || lingers
}
