import type { SessionStore } from './session-store.ts'

/** Sessions that were looked at last stay in memory, so that going back to one shows it at once. */
const KEPT = 6

export type SessionStores = {
  /** The store of a session, made on first use; `fresh` for one that the server does not know yet. */
  of(sessionId: string, fresh: boolean): SessionStore
  /** The store of a session, if there is one. */
  peek(sessionId: string): SessionStore | null
}

export function createSessionStores(
  make: (sessionId: string, fresh: boolean) => SessionStore,
): SessionStores {
  const stores = new Map<string, SessionStore>()

  return {
    of(sessionId, fresh) {
      const store = stores.get(sessionId) ?? make(sessionId, fresh)
      stores.delete(sessionId)
      stores.set(sessionId, store)
      const [oldest] = stores.keys()
      if (stores.size > KEPT && oldest !== undefined) stores.delete(oldest)
      return store
    },
    peek: (sessionId) => stores.get(sessionId) ?? null,
  }
}
