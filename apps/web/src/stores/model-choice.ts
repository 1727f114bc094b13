import { type ModelInfo, type ModelRef, sameModel } from '@palimpsest/core/domain'
import type { KeyValueStorage } from '../state/browser-storage.ts'
import { readStored, writeStored } from '../state/browser-storage.ts'
import { createStore, type Store, type WatchedStore } from '../state/create-store.ts'

const RECENT_KEY = 'palimpsest.recent-models'
const RECENT_COUNT = 5

/** Models that were chosen in this browser, the last one first. */
export type RecentModels = WatchedStore<readonly ModelRef[]> & {
  add(model: ModelRef): void
}

export function createRecentModels(storage: KeyValueStorage): RecentModels {
  const stored = readStored(storage, RECENT_KEY)
  const store = createStore<readonly ModelRef[]>([])
  if (Array.isArray(stored)) store.set(stored.filter(isModelRef))

  return {
    initial: store.initial,
    get: store.get,
    subscribe: store.subscribe,
    add(model) {
      const others = store.get().filter((other) => !sameModel(other, model))
      const recents = [model, ...others].slice(0, RECENT_COUNT)
      writeStored(storage, RECENT_KEY, recents)
      store.set(recents)
    },
  }
}

/** A model that was picked for a session and has not been sent with yet; survives a reload. */
export function createPendingModel(storage: KeyValueStorage, sessionId: string): Store<ModelRef | null> {
  const key = `palimpsest.model.${sessionId}`
  const stored = readStored(storage, key)
  const store = createStore<ModelRef | null>(null)
  if (isModelRef(stored)) store.set(stored)
  store.subscribe(() => writeStored(storage, key, store.get()))
  return store
}

/** The first of these that the catalogue still has: the pending pick, the session's own, the last chosen, the default. */
export function effectiveModel(
  candidates: readonly (ModelRef | null | undefined)[],
  catalogue: readonly ModelInfo[] | null,
): ModelRef | null {
  const present = candidates.filter((model) => model !== null && model !== undefined)
  const offered = present.find((model) => catalogue === null || findModel(catalogue, model) !== null)
  return offered ?? present[0] ?? null
}

export function findModel(catalogue: readonly ModelInfo[], model: ModelRef): ModelInfo | null {
  const { providerId, modelId } = model
  return catalogue.find((info) => info.providerId === providerId && info.modelId === modelId) ?? null
}

function isModelRef(value: unknown): value is ModelRef {
  return (
    typeof value === 'object' &&
    value !== null &&
    'providerId' in value &&
    typeof value.providerId === 'string' &&
    'modelId' in value &&
    typeof value.modelId === 'string' &&
    (!('variant' in value) || typeof value.variant === 'string')
  )
}
