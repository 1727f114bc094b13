import type { Session } from '../../domain/session/session.ts'
import { fixedLimit } from '../../domain/window/context-window.ts'

/** Sessions whose size is kept; the oldest goes first. */
const MOST_SESSIONS = 500

/** Sizes in tokens of the part that each request of a session has: the system prompt and the tool definitions. */
export type FixedParts = {
  /** Notes the size that a run of the session has counted for a window with this usable size. */
  note(sessionId: string, tokens: number, usable: number | null): void
  /** The size that was noted, else one computed from the session's agent; in a small window at most its limit. */
  of(session: Pick<Session, 'id' | 'agent' | 'model'>, usable: number | null): number
}

/** `estimate` computes the size of an agent's own prompt and tools. */
export function createFixedParts(estimate: (agentId: string, providerId: string) => number): FixedParts {
  const noted = new Map<string, { tokens: number; usable: number | null }>()
  return {
    note(sessionId, tokens, usable) {
      noted.delete(sessionId)
      noted.set(sessionId, { tokens, usable })
      const [oldest] = noted.keys()
      if (noted.size > MOST_SESSIONS && oldest !== undefined) noted.delete(oldest)
    },
    of({ id, agent, model }, usable) {
      const known = noted.get(id)
      if (known !== undefined && known.usable === usable) return known.tokens
      const whole = Math.max(known?.tokens ?? 0, estimate(agent, model.providerId))
      return Math.min(whole, fixedLimit(usable) ?? whole)
    },
  }
}
