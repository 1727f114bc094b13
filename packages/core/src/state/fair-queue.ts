import type { Clock } from '../ports/index.ts'

/** Lets callers through one by one, in the order in which they came, the host looking after all else between them. */
export type FairQueue = () => Promise<void>

export function createFairQueue({ turn }: Pick<Clock, 'turn'>): FairQueue {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(turn)
    return last
  }
}
