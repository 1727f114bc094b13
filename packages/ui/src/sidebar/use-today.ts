import { useEffect, useState } from 'react'
import { dayStart } from './group-sessions.ts'

/** A moment of the current day, in epoch milliseconds; another one once the day is over. */
export function useToday(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), dayStart(now, -1) - now)
    return () => clearTimeout(timer)
  }, [now])
  return now
}
