import type { Toast } from '@palimpsest/ui'
import { createStore, type WatchedStore } from '../state/create-store.ts'
import { describeFailure } from '../state/describe-failure.ts'

/** Short notes for the person, newest last. */
export type Toasts = WatchedStore<readonly Toast[]> & {
  /** Returns its id. */
  add(toast: Omit<Toast, 'id'>): string
  dismiss(id: string): void
  /** Waits for a call whose failure a person has to know of. False when it failed. */
  guard(call: Promise<unknown>): Promise<boolean>
}

export function createToasts(): Toasts {
  const store = createStore<readonly Toast[]>([])
  let count = 0

  function add(toast: Omit<Toast, 'id'>): string {
    count += 1
    const id = String(count)
    store.set([...store.get(), { ...toast, id }])
    return id
  }

  return {
    initial: store.initial,
    get: store.get,
    subscribe: store.subscribe,
    add,
    dismiss: (id) => store.set(store.get().filter((toast) => toast.id !== id)),
    async guard(call) {
      try {
        await call
        return true
      } catch (error) {
        add({ tone: 'error', message: describeFailure(error).message })
        return false
      }
    },
  }
}
