import type { RunStore, Store } from '@palimpsest/core/ports'

/** The store with some of what it does for runs done otherwise: held back, or failing. */
export function withRuns(store: Store, change: (runs: RunStore) => Partial<RunStore>): Store {
  return { ...store, runs: { ...store.runs, ...change(store.runs) } }
}
