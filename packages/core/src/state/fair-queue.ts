import type { Clock } from '../ports/index.ts'

/** Resolves callers one by one in the order of their calls; other work of the event loop runs between any two. */
export type FairQueue = () => Promise<void>

export function createFairQueue({ yieldToLoop }: Pick<Clock, 'yieldToLoop'>): FairQueue {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(yieldToLoop)
    return last
  }
}
