import type { Clock } from '../ports/index.ts'

/** Lets callers through one by one, in the order in which they came, the host looking after all else between them. */
export type Turnstile = () => Promise<void>

export function createTurnstile({ turn }: Pick<Clock, 'turn'>): Turnstile {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(turn)
    return last
  }
}
