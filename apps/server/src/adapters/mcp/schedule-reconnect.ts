import type { Clock } from '@palimpsest/core/ports'

/** Milliseconds before a stream that has ended is opened again: a server may ask for none at all, or for years. */
const LEAST_MS = 500
const MOST_MS = 60_000

/** Runs `reconnect` after the delay that a server asks for, within bounds. Returns what cancels it. */
export function createReconnectScheduler(clock: Pick<Clock, 'after'>) {
  return (reconnect: () => void, delayMs: number): (() => void) => {
    const timer = clock.after(Math.min(Math.max(delayMs, LEAST_MS), MOST_MS), reconnect)
    return () => timer[Symbol.dispose]()
  }
}
