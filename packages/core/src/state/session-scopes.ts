/** A kind of value that lives as long as its session is in use. */
export type ScopedKind<T> = {
  create(sessionId: string): T
  /** Whether nothing is lost when the value is dropped: rows hold all of it, and nothing uses it. */
  isIdle(value: T): boolean
}

/** The values of one kind, one a session. */
export type Scoped<T> = {
  /** The value of the session, created when it has none: every caller gets the same one. */
  of(sessionId: string): T
  find(sessionId: string): T | undefined
}

/**
 * Owns what lives as long as a session is in use: what it may spend, the runs that spend it, the subagents that are about to start.
 * Runs, resumptions, subagents and background work share it. It is created on demand, dropped as soon as all of it is idle, and
 * read from rows again when it is needed.
 */
export type SessionScopes = {
  define<T>(kind: ScopedKind<T>): Scoped<T>
  /** Drops the values of the session if all of them are idle. To be called when one may have become idle. */
  release(sessionId: string): void
  /** Drops the values of a session that is gone. */
  forget(sessionId: string): void
  /** The sessions that have values. */
  readonly sessions: string[]
}

type Values = {
  isIdle(sessionId: string): boolean
  drop(sessionId: string): void
  sessions(): string[]
}

export function createSessionScopes(): SessionScopes {
  const kinds: Values[] = []

  function forget(sessionId: string): void {
    for (const kind of kinds) kind.drop(sessionId)
  }

  return {
    forget,
    define<T>({ create, isIdle }: ScopedKind<T>): Scoped<T> {
      const values = new Map<string, { value: T }>()
      kinds.push({
        isIdle(sessionId) {
          const held = values.get(sessionId)
          return held === undefined || isIdle(held.value)
        },
        sessions: () => [...values.keys()],
        drop: (sessionId) => void values.delete(sessionId),
      })
      return {
        of(sessionId) {
          const held = values.get(sessionId) ?? { value: create(sessionId) }
          values.set(sessionId, held)
          return held.value
        },
        find: (sessionId) => values.get(sessionId)?.value,
      }
    },
    release(sessionId) {
      if (kinds.every((kind) => kind.isIdle(sessionId))) forget(sessionId)
    },
    get sessions() {
      return [...new Set(kinds.flatMap((kind) => kind.sessions()))]
    },
  }
}
