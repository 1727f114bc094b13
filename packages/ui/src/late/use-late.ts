import { useEffect, useSyncExternalStore } from 'react'
import type { LateModule } from './late-module.ts'

/**
 * A late module once it is there, fetched if it is `wanted`. React's own `lazy` holds back what arrives within 300 ms of
 * a placeholder; this tells at once.
 */
export function useLate<M>(module: LateModule<M>, wanted = true): M | null {
  const loaded = useSyncExternalStore(module.subscribe, module.get, onServer)
  useEffect(() => {
    if (wanted) module.load()
  }, [module, wanted])
  return loaded
}

const onServer = () => null
