import { useEffect, useSyncExternalStore } from 'react'
import type { LazyModule } from './lazy-module.ts'

/**
 * Returns a lazy module, or null until it is loaded. Loads it when `wanted`. React's own `lazy` shows a placeholder for
 * at least 300 ms; this renders as soon as the module is there.
 */
export function useLazy<M>(module: LazyModule<M>, wanted = true): M | null {
  const loaded = useSyncExternalStore(module.subscribe, module.get, onServer)
  useEffect(() => {
    if (wanted) module.load()
  }, [module, wanted])
  return loaded
}

const onServer = () => null
