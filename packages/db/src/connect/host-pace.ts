import { setImmediate } from 'node:timers/promises'
import { createPace, type Pace } from '@palimpsest/core/domain'

/** A pace for one piece of work of this process. */
export function hostPace(): Pace {
  return createPace({ yieldToLoop: () => setImmediate(), elapsed: () => performance.now() })
}
