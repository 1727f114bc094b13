import { LIMITS } from '../domain/limits.ts'
import type { Coordinator } from './coordinator.ts'
import type { SessionScopes } from './session-scopes.ts'

/** How many subagents of one chat work, wait or are about to start. */
export type SubagentLimit = {
  /** Keeps a place for one that is about to start, until its session is claimed; null while there is none. Synchronous. */
  reserve(rootId: string): Disposable | null
}

export function createSubagentLimit(
  scopes: SessionScopes,
  coordinator: Pick<Coordinator, 'subagents'>,
): SubagentLimit {
  const starting = scopes.define({ create: () => ({ count: 0 }), isIdle: ({ count }) => count === 0 })

  return {
    reserve(rootId) {
      const places = starting.of(rootId)
      if (coordinator.subagents(rootId).length + places.count >= LIMITS.subagents) return null
      places.count += 1
      return {
        [Symbol.dispose]() {
          places.count -= 1
          scopes.release(rootId)
        },
      }
    },
  }
}
